/* What library.c is linked with, found next to it. */
int needed(void);
int needed(void)
{
    return 1;
}
