/* A library that stays open, with memory of each thread. */
static __thread char big[5000];
static __thread int touched;

int touch(void);
int touch(void)
{
    big[3] = 1;
    return touched++ + big[3];
}
