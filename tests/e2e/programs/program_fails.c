// Clean memory, but the program itself says no.
// program: 7
// exit: 4
int main(void)
{
    return 7;
}
