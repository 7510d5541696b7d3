#include "match/kinds.h"

#include <string.h>

/* name, errors, the first valgrind that has it */
#define MEMCHECK(name, kind, since) PAIR(name, kind, GG_KINDS, since)
#define PAIR(name, kind, other, since)                                 \
    {                                                                  \
        name, GG_SUPP_MEMCHECK, GG_EXTRA_NONE, {kind, other}, 0, since \
    }
#define SIZED(name, size, kind, other)                                   \
    {                                                                    \
        name, GG_SUPP_MEMCHECK, GG_EXTRA_NONE, {kind, other}, size, NULL \
    }
#define ADDR(name, size) SIZED(name, size, GG_KIND_InvalidRead, GG_KIND_InvalidWrite)
#define VALUE(name, size) SIZED(name, size, GG_KIND_UninitValue, GG_KINDS)
#define EXTRA(name, extra, kind)                                 \
    {                                                            \
        name, GG_SUPP_MEMCHECK, extra, {kind, GG_KINDS}, 0, NULL \
    }
#define OTHER(tool, name, since)                                          \
    {                                                                     \
#name, tool, GG_EXTRA_NONE, {GG_KIND_##name, GG_KINDS }, 0, since \
    }

static const struct gg_supp_kind kinds[] = {
    EXTRA("Param", GG_EXTRA_PARAM, GG_KIND_SyscallParam),
    EXTRA("Leak", GG_EXTRA_LEAK, GG_KINDS),
    EXTRA("FishyValue", GG_EXTRA_FISHY, GG_KIND_FishyValue),
    /* valgrind compares it with a text that is never there */
    MEMCHECK("CoreMem", GG_KINDS, NULL),
    PAIR("Free", GG_KIND_InvalidFree, GG_KIND_MismatchedFree, NULL),
    MEMCHECK("User", GG_KIND_ClientCheck, NULL),
    MEMCHECK("Cond", GG_KIND_UninitCondition, NULL),
    MEMCHECK("Value0", GG_KIND_UninitCondition, NULL),
    MEMCHECK("Jump", GG_KIND_InvalidJump, NULL),
    MEMCHECK("Overlap", GG_KIND_Overlap, NULL),
    MEMCHECK("Mempool", GG_KIND_InvalidMemPool, NULL),
    MEMCHECK("ReallocZero", GG_KIND_ReallocSizeZero, "3.21"),
    PAIR("BadAlign", GG_KIND_InvalidAlignment, GG_KIND_InvalidSizeAndAlignment, "3.22"),
    MEMCHECK("BadSize", GG_KIND_InvalidSize, "3.22"),
    MEMCHECK("UnsafeZeroSize", GG_KIND_InvalidSize, "3.26"),
    MEMCHECK("SizeMismatch", GG_KIND_MismatchedAllocateDeallocateSize, "3.22"),
    MEMCHECK("AlignMismatch", GG_KIND_MismatchedAllocateDeallocateAlignment, "3.22"),
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
    OTHER(GG_SUPP_CORE, FdBadClose, "3.24"),
    OTHER(GG_SUPP_CORE, FdNotClosed, "3.24"),
    OTHER(GG_SUPP_CORE, FdBadUse, "3.25"),
    /* helgrind reads it, has no such error, and dies of it at the first other one */
    {"FreeMemLock", GG_SUPP_HELGRIND, GG_EXTRA_NONE, {GG_KINDS, GG_KINDS}, 0, NULL},
    OTHER(GG_SUPP_HELGRIND, Race, NULL),
    OTHER(GG_SUPP_HELGRIND, UnlockUnlocked, NULL),
    OTHER(GG_SUPP_HELGRIND, UnlockForeign, NULL),
    OTHER(GG_SUPP_HELGRIND, UnlockBogus, NULL),
    OTHER(GG_SUPP_HELGRIND, PthAPIerror, NULL),
    OTHER(GG_SUPP_HELGRIND, LockOrder, NULL),
    OTHER(GG_SUPP_HELGRIND, Misc, NULL),
    OTHER(GG_SUPP_HELGRIND, Dubious, "3.21"),
    OTHER(GG_SUPP_DRD, ConflictingAccess, NULL),
    OTHER(GG_SUPP_DRD, MutexErr, NULL),
    OTHER(GG_SUPP_DRD, CondErr, NULL),
    OTHER(GG_SUPP_DRD, CondDestrErr, NULL),
    OTHER(GG_SUPP_DRD, CondRaceErr, NULL),
    OTHER(GG_SUPP_DRD, CondWaitErr, NULL),
    OTHER(GG_SUPP_DRD, SemaphoreErr, NULL),
    OTHER(GG_SUPP_DRD, BarrierErr, NULL),
    OTHER(GG_SUPP_DRD, RwlockErr, NULL),
    OTHER(GG_SUPP_DRD, HoldtimeErr, NULL),
    OTHER(GG_SUPP_DRD, GenericErr, NULL),
    OTHER(GG_SUPP_DRD, InvalidThreadId, NULL),
    OTHER(GG_SUPP_DRD, UnimpHgClReq, NULL),
    OTHER(GG_SUPP_DRD, UnimpDrdClReq, NULL),
};

const struct gg_supp_kind *gg_supp_kind_find(struct gg_str name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (gg_str_is(name, kinds[i].name))
            return &kinds[i];
    }
    return NULL;
}

/* "3.19.0" -> 3019; 0: is none. */
static uint64_t version_of(const char *text)
{
    struct gg_str major, minor, rest;
    uint64_t high = 0, low = 0;
    gg_str_cut(gg_str(text), '.', &major, &rest);
    gg_str_cut(rest, '.', &minor, &rest);
    bool known = gg_str_u64(major, false, &high) && gg_str_u64(minor, true, &low) && low < 1000;
    return known ? high * 1000 + low : 0;
}

bool gg_supp_older(const char *valgrind, const char *than)
{
    uint64_t version = valgrind && than ? version_of(valgrind) : 0;
    return version && version < version_of(than);
}

const char *gg_supp_tool_name(enum gg_supp_tool tool)
{
    static const char *const names[] = {[GG_SUPP_MEMCHECK] = "Memcheck",
                                        [GG_SUPP_HELGRIND] = "Helgrind",
                                        [GG_SUPP_DRD] = "drd",
                                        [GG_SUPP_CORE] = "CoreError"};
    return names[tool];
}

bool gg_supp_tool_named(enum gg_supp_tool tool, struct gg_str list)
{
    const char *name = gg_supp_tool_name(tool);
    size_t at = gg_str_find(list, name);
    if (at == SIZE_MAX)
        return false;
    size_t end = at + strlen(name);
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

const struct gg_supp_kind *gg_supp_kind_for(const struct gg_supp_subject *subject)
{
    if (subject->leak)
        return gg_supp_kind_find(gg_str("Leak"));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct gg_supp_kind *kind = &kinds[i];
        if ((kind->kinds[0] == subject->kind || kind->kinds[1] == subject->kind) &&
            (kind->size == 0 || kind->size == subject->size))
            return kind;
    }
    return NULL;
}
