/* A program with an interpreter inside, which loses memory of its own and an object of Python's. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static void lose(void)
{
    char *volatile block = malloc(9); // expect embedded: Leak_DefinitelyLost
    block = NULL;
    PyBytes_FromStringAndSize(NULL, 5000); // expect embedded: Leak_DefinitelyLost
}

int main(void)
{
    Py_InitializeEx(0);
    lose();
    return Py_FinalizeEx();
}
