/* Multiplies and solves on several threads, loses a matrix, has more multiplied than there is. */
#include <stdio.h>
#include <stdlib.h>

#include <cblas.h>

void dgesv_(int *n, int *columns, double *a, int *lda, int *pivots, double *b, int *ldb, int *info);

enum { SIZE = 200 };

static double *matrix(int seed)
{
    double *cells = malloc(SIZE * SIZE * sizeof *cells); // expect: Leak_DefinitelyLost
    for (int i = 0; i < SIZE * SIZE; i++)
        cells[i] = i % seed + (i % (SIZE + 1) == 0) * 50;
    return cells;
}

static void work(void)
{
    double *a = matrix(7), *b = matrix(5), *c = matrix(3);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIZE, SIZE, SIZE, 1, a, SIZE, b, SIZE, 0,
                c, SIZE);
    int *pivots = malloc(SIZE * sizeof *pivots), size = SIZE, one = 1, info;
    dgesv_(&size, &one, a, &size, pivots, b, &size, &info);
    free(pivots);
    free(a);
    free(b);
    free(c);
}

static void lose(void)
{
    double *a = matrix(7);
    cblas_dscal(SIZE, 2, a, 1);
    float *few = calloc(64, sizeof *few);
    printf("%f\n", (double)cblas_sdot(65, few, 1, few, 1)); // expect: InvalidRead
    free(few);
}

int main(void)
{
    work();
    lose();
    work();
    abort(); // expect: FatalSignal
}
