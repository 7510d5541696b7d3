/* Called back while PyTorch goes through a graph: loses memory and reads past the end. A tensor is
 * made through Python and forgotten. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *hook(PyObject *self, PyObject *gradient)
{
    (void)self;
    char *volatile block = malloc(9); // expect: Leak_DefinitelyLost
    block = NULL;
    block = calloc(4, 1);
    if (block[6] == 77) // expect: InvalidRead
        Py_RETURN_NONE;
    free(block);
    Py_INCREF(gradient);
    return gradient;
}

static PyObject *lose(PyObject *self, PyObject *torch)
{
    (void)self;
    PyObject_CallMethod(torch, "ones", "i", 5000); // expect: Leak_StillReachable
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"hook", hook, METH_O, NULL}, {"lose", lose, METH_O, NULL}, {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "own", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_own(void)
{
    return PyModule_Create(&module);
}
