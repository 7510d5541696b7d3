// Hands the kernel a record of which one field was forgotten.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct record {
    int key, value;
};

int main(void)
{
    struct record *record = malloc(sizeof *record);
    record->key = 1;
    int fd = open("/dev/null", O_WRONLY);
    ssize_t written = write(fd, record, sizeof *record); // expect: SyscallParam
    close(fd);
    free(record);
    return written != (ssize_t)sizeof *record;
}
