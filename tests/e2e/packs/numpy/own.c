/* A module in C that makes an array and forgets it, loses memory of its own, and has NumPy read
 * past the end of what it hands over. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

static PyObject *lose(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    npy_intp size = 5000;
    PyArray_SimpleNew(1, &size, NPY_DOUBLE); // expect: Leak_StillReachable
    char *volatile block = malloc(9);        // expect: Leak_DefinitelyLost
    block = NULL;
    Py_RETURN_NONE;
}

static PyObject *sum(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    npy_intp size = 5;
    double *cells = calloc(4, sizeof *cells);
    PyObject *array = PyArray_SimpleNewFromData(1, &size, NPY_DOUBLE, cells);
    PyObject *total = PyObject_CallMethod(array, "sum", NULL); // expect: InvalidRead
    Py_DECREF(array);
    free(cells);
    return total;
}

static PyMethodDef methods[] = {
    {"lose", lose, METH_NOARGS, NULL}, {"sum", sum, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "own", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_own(void)
{
    import_array();
    return PyModule_Create(&module);
}
