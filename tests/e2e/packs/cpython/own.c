/* A module in C that loses memory of its own, loses an object of Python's, and reads past the end
 * when Python calls it back. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *lose(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    char *volatile block = malloc(9); // expect module: Leak_DefinitelyLost
    block = NULL;
    Py_RETURN_NONE;
}

static PyObject *lose_object(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    PyBytes_FromStringAndSize(NULL, 5000); // expect module: Leak_DefinitelyLost
    PyList_New(700);                       // expect module: Leak_StillReachable
    Py_RETURN_NONE;
}

static PyObject *key(PyObject *self, PyObject *value)
{
    (void)self;
    char *text = calloc(4, 1);
    long past = text[6]; // expect module: InvalidRead
    free(text);
    return PyLong_FromLong(past * 0 + PyLong_AsLong(value));
}

static PyMethodDef methods[] = {{"lose", lose, METH_NOARGS, NULL},
                                {"lose_object", lose_object, METH_NOARGS, NULL},
                                {"key", key, METH_O, NULL},
                                {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "own", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_own(void)
{
    return PyModule_Create(&module);
}
