#include "grindgate/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void set(struct gg_error *err, size_t at, const char *format, va_list args)
{
    err->set = true;
    vsnprintf(err->text + at, sizeof err->text - at, format, args);
}

void gg_error_set(struct gg_error *err, const char *format, ...)
{
    if (err->set)
        return;
    va_list args;
    va_start(args, format);
    set(err, 0, format, args);
    va_end(args);
}

void gg_error_at(struct gg_error *err, const char *file, unsigned line, const char *format, ...)
{
    if (err->set)
        return;
    int len = line ? snprintf(err->text, sizeof err->text, "%s:%u: ", file, line)
                   : snprintf(err->text, sizeof err->text, "%s: ", file);
    size_t at = len < 0 ? 0 : (size_t)len;
    if (at >= sizeof err->text)
        at = sizeof err->text - 1;
    va_list args;
    va_start(args, format);
    set(err, at, format, args);
    va_end(args);
}
