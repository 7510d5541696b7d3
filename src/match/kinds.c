#include "match/kinds.h"

#include <string.h>

#define MEMCHECK(name, kind)                                       \
    {                                                              \
        name, GG_SUPP_MEMCHECK, GG_EXTRA_NONE, {kind, GG_KINDS}, 0 \
    }
#define SIZED(name, size, kind, other)                             \
    {                                                              \
        name, GG_SUPP_MEMCHECK, GG_EXTRA_NONE, {kind, other}, size \
    }
#define ADDR(name, size) SIZED(name, size, GG_KIND_InvalidRead, GG_KIND_InvalidWrite)
#define VALUE(name, size) SIZED(name, size, GG_KIND_UninitValue, GG_KINDS)
#define OTHER(tool, name)                                          \
    {                                                              \
#name, tool, GG_EXTRA_NONE, {GG_KIND_##name, GG_KINDS }, 0 \
    }

static const struct gg_supp_kind kinds[] = {
    {"Param", GG_SUPP_MEMCHECK, GG_EXTRA_PARAM, {GG_KIND_SyscallParam, GG_KINDS}, 0},
    {"Leak", GG_SUPP_MEMCHECK, GG_EXTRA_LEAK, {GG_KINDS, GG_KINDS}, 0},
    {"FishyValue", GG_SUPP_MEMCHECK, GG_EXTRA_FISHY, {GG_KIND_FishyValue, GG_KINDS}, 0},
    {"Free", GG_SUPP_MEMCHECK, GG_EXTRA_NONE, {GG_KIND_InvalidFree, GG_KIND_MismatchedFree}, 0},
    /* valgrind compares it with a text that is never there */
    {"CoreMem", GG_SUPP_MEMCHECK, GG_EXTRA_NONE, {GG_KINDS, GG_KINDS}, 0},
    {"BadAlign",
     GG_SUPP_MEMCHECK,
     GG_EXTRA_NONE,
     {GG_KIND_InvalidAlignment, GG_KIND_InvalidSizeAndAlignment},
     0},
    MEMCHECK("User", GG_KIND_ClientCheck),
    MEMCHECK("Cond", GG_KIND_UninitCondition),
    MEMCHECK("Value0", GG_KIND_UninitCondition),
    MEMCHECK("Jump", GG_KIND_InvalidJump),
    MEMCHECK("Overlap", GG_KIND_Overlap),
    MEMCHECK("Mempool", GG_KIND_InvalidMemPool),
    MEMCHECK("ReallocZero", GG_KIND_ReallocSizeZero),
    MEMCHECK("BadSize", GG_KIND_InvalidSize),
    MEMCHECK("UnsafeZeroSize", GG_KIND_InvalidSize),
    MEMCHECK("SizeMismatch", GG_KIND_MismatchedAllocateDeallocateSize),
    MEMCHECK("AlignMismatch", GG_KIND_MismatchedAllocateDeallocateAlignment),
    VALUE("Value1", 1),
    VALUE("Value2", 2),
    VALUE("Value4", 4),
    VALUE("Value8", 8),
    VALUE("Value16", 16),
    VALUE("Value32", 32),
    ADDR("Addr1", 1),
    ADDR("Addr2", 2),
    ADDR("Addr4", 4),
    ADDR("Addr8", 8),
    ADDR("Addr16", 16),
    ADDR("Addr32", 32),
    OTHER(GG_SUPP_CORE, FdBadClose),
    OTHER(GG_SUPP_CORE, FdNotClosed),
    OTHER(GG_SUPP_CORE, FdBadUse),
    OTHER(GG_SUPP_HELGRIND, Race),
    OTHER(GG_SUPP_HELGRIND, UnlockUnlocked),
    OTHER(GG_SUPP_HELGRIND, UnlockForeign),
    OTHER(GG_SUPP_HELGRIND, UnlockBogus),
    OTHER(GG_SUPP_HELGRIND, PthAPIerror),
    OTHER(GG_SUPP_HELGRIND, LockOrder),
    OTHER(GG_SUPP_HELGRIND, Misc),
    OTHER(GG_SUPP_HELGRIND, Dubious),
    OTHER(GG_SUPP_DRD, ConflictingAccess),
    OTHER(GG_SUPP_DRD, MutexErr),
    OTHER(GG_SUPP_DRD, CondErr),
    OTHER(GG_SUPP_DRD, CondDestrErr),
    OTHER(GG_SUPP_DRD, CondRaceErr),
    OTHER(GG_SUPP_DRD, CondWaitErr),
    OTHER(GG_SUPP_DRD, SemaphoreErr),
    OTHER(GG_SUPP_DRD, BarrierErr),
    OTHER(GG_SUPP_DRD, RwlockErr),
    OTHER(GG_SUPP_DRD, HoldtimeErr),
    OTHER(GG_SUPP_DRD, GenericErr),
    OTHER(GG_SUPP_DRD, InvalidThreadId),
    OTHER(GG_SUPP_DRD, UnimpHgClReq),
    OTHER(GG_SUPP_DRD, UnimpDrdClReq),
};

const struct gg_supp_kind *gg_supp_kind_find(struct gg_str name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (gg_str_is(name, kinds[i].name))
            return &kinds[i];
    }
    return NULL;
}

bool gg_supp_tool_named(enum gg_supp_tool tool, struct gg_str list)
{
    static const char *const names[] = {[GG_SUPP_MEMCHECK] = "Memcheck",
                                        [GG_SUPP_HELGRIND] = "Helgrind",
                                        [GG_SUPP_DRD] = "drd",
                                        [GG_SUPP_CORE] = "CoreError"};
    size_t at = gg_str_find(list, names[tool]);
    if (at == SIZE_MAX)
        return false;
    size_t end = at + strlen(names[tool]);
    return (at == 0 || list.ptr[at - 1] == ',') && (end == list.len || list.ptr[end] == ',');
}

static unsigned leak_of(enum gg_kind kind)
{
    switch (kind) {
    case GG_KIND_Leak_DefinitelyLost:
        return GG_LEAK_DEFINITE;
    case GG_KIND_Leak_IndirectlyLost:
        return GG_LEAK_INDIRECT;
    case GG_KIND_Leak_PossiblyLost:
        return GG_LEAK_POSSIBLE;
    case GG_KIND_Leak_StillReachable:
        return GG_LEAK_REACHABLE;
    default:
        return 0;
    }
}

/* What stands in `text` between `before` and `after`; empty when they are not there. */
static struct gg_str between(struct gg_str text, const char *before, const char *after)
{
    size_t start = gg_str_find(text, before);
    if (start == SIZE_MAX)
        return (struct gg_str){0};
    start += strlen(before);
    text = gg_str_n(text.ptr + start, text.len - start);
    size_t len = gg_str_find(text, after);
    return len == SIZE_MAX ? (struct gg_str){0} : gg_str_n(text.ptr, len);
}

/* "Memcheck:Addr4"; else "Invalid read of size 4", "Use of uninitialised value of size 8" */
static uint64_t size_of(const char *supp_kind, struct gg_str message)
{
    struct gg_str tool, name = {0};
    if (supp_kind && gg_str_cut(gg_str(supp_kind), ':', &tool, &name)) {
        const struct gg_supp_kind *kind = gg_supp_kind_find(name);
        return kind ? kind->size : 0;
    }
    uint64_t size = 0;
    size_t at = gg_str_find(message, " of size ");
    if (at != SIZE_MAX)
        gg_str_u64(gg_str_n(message.ptr + at + 9, message.len - at - 9), true, &size);
    return size;
}

/* "Syscall param write(buf) points to uninitialised byte(s)",
 * "Syscall param exit(status) contains uninitialised byte(s)" */
static struct gg_str param_of(struct gg_str message)
{
    struct gg_str param = between(message, "Syscall param ", " points to ");
    return param.len ? param : between(message, "Syscall param ", " contains ");
}

bool gg_supp_call(struct gg_str text, struct gg_str *function, struct gg_str *argument)
{
    struct gg_str rest;
    return gg_str_cut(text, '(', function, &rest) && gg_str_cut(rest, ')', argument, &rest);
}

struct gg_supp_subject gg_supp_subject(const struct gg_finding *finding)
{
    struct gg_str message = gg_str(finding->message);
    struct gg_supp_subject subject = {.kind = finding->kind, .leak = leak_of(finding->kind)};
    switch (finding->kind) {
    case GG_KIND_InvalidRead:
    case GG_KIND_InvalidWrite:
    case GG_KIND_UninitValue:
        subject.size = size_of(finding->supp_kind, message);
        break;
    case GG_KIND_SyscallParam:
        subject.param = finding->supp_extra ? gg_str(finding->supp_extra) : param_of(message);
        break;
    case GG_KIND_FishyValue:
        /* "Argument 'size' of function malloc has a fishy (possibly negative) value: -1" */
        subject.argument = between(message, "Argument '", "' of function ");
        subject.function = between(message, "' of function ", " has a fishy ");
        break;
    default:
        break;
    }
    return subject;
}
