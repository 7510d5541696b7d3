/* A function that stays one of its own frames, with nothing known about it elsewhere. */
#ifdef __clang__
#define NOINLINE __attribute__((noinline, optnone))
#else
#define NOINLINE __attribute__((noipa))
#endif
