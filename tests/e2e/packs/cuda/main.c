/* Asks the runtime of CUDA for memory, device or not, and loses some of its own. 77: not here. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void ask(void *runtime)
{
    int (*count)(int *) = (int (*)(int *))dlsym(runtime, "cudaGetDeviceCount");
    int (*allocate)(void **, size_t) = (int (*)(void **, size_t))dlsym(runtime, "cudaMalloc");
    int devices;
    void *memory;
    printf("%d %d\n", count(&devices), allocate(&memory, 100));
}

static void lose(void)
{
    char *volatile block = malloc(9); // expect: Leak_DefinitelyLost
    block = NULL;
    block = malloc(4);
    printf("%d\n", block[5] == 9); // expect: InvalidRead
    free(block);
}

int main(void)
{
    static const char *const names[] = {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"};
    void *runtime = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !runtime; i++)
        runtime = dlopen(names[i], RTLD_NOW);
    if (!runtime || !dlopen("libcuda.so.1", RTLD_NOW))
        return 77;
    ask(runtime);
    lose();
    return 0;
}
