// Threads, a channel, a panic with a backtrace, standard input; loses boxes, reads past the end.
use std::collections::HashMap;
use std::sync::{mpsc, Arc, Mutex};
use std::thread;

fn work() {
    let mut map = HashMap::new();
    map.insert("a".to_string(), 1);
    println!("{:?}", map);
    let shared = Arc::new(Mutex::new(0));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let shared = shared.clone();
            thread::spawn(move || *shared.lock().unwrap() += 1)
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || sender.send(1).unwrap());
    receiver.recv().unwrap();
    thread.join().unwrap();
    let _ = std::panic::catch_unwind(|| panic!("on purpose"));
}

fn lose() {
    std::mem::forget(Box::new(7)); // expect: Leak_DefinitelyLost
    std::mem::forget(vec![1, 2, 3]); // expect: Leak_DefinitelyLost
    let sorted = &mut vec![3, 1, 2];
    sorted.sort_by(|a, b| {
        let text = Box::new([0u8; 4]);
        let past = unsafe { text.as_ptr().add(6).read() }; // expect: InvalidRead
        a.cmp(b).then((past as i32).cmp(&past.into()))
    });
}

fn main() {
    work();
    lose();
    work();
}
