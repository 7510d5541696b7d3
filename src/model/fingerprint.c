#include "model/fingerprint.h"
#include "base/fs.h"

#include <sha2.h>
#include <string.h>

static const char *const group_names[] = {
    [GG_GROUP_access] = "access", [GG_GROUP_value] = "value", [GG_GROUP_leak] = "leak",
    [GG_GROUP_free] = "free",     [GG_GROUP_call] = "call",   [GG_GROUP_fd] = "fd",
    [GG_GROUP_race] = "race",     [GG_GROUP_crash] = "crash", [GG_GROUP_other] = "other"};

static size_t cut_at(struct gg_str text, const char *mark)
{
    size_t at = gg_str_find(text, mark);
    return at == SIZE_MAX ? text.len : at;
}

/* "core::fmt::write::h0123456789abcdef": the hash changes with every compiler. */
static size_t without_rust_hash(struct gg_str text)
{
    if (text.len < 19 || memcmp(text.ptr + text.len - 19, "::h", 3) != 0)
        return text.len;
    for (size_t i = text.len - 16; i < text.len; i++) {
        if (!strchr("0123456789abcdef", text.ptr[i]))
            return text.len;
    }
    return text.len - 19;
}

static struct gg_str plain_function(const char *function)
{
    static const char *const marks[] = {" [clone ", ".isra.",     ".part.", ".constprop.",
                                        ".cold",    ".lto_priv.", "@"};
    struct gg_str text = gg_str(function);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t len = cut_at(text, marks[i]);
        if (len)
            text.len = len;
    }
    text.len = without_rust_hash(text);
    return text;
}

struct gg_str gg_fingerprint_frame(const struct gg_frame *frame)
{
    if (frame->function)
        return plain_function(frame->function);
    if (frame->file)
        return gg_str(gg_fs_basename(frame->file));
    if (frame->object)
        return gg_str(gg_fs_basename(frame->object));
    return gg_str("?");
}

bool gg_fingerprint_below_main(const struct gg_frame *frame)
{
    static const char *const names[] = {"(below main)", "_start", "start_thread",
                                        "clone",        "clone3", "__libc_start_call_main"};
    if (!frame->function)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(frame->function, names[i]) == 0)
            return true;
    }
    return strncmp(frame->function, "__libc_start_main", 17) == 0;
}

static void add(SHA2_CTX *hash, struct gg_str text)
{
    SHA256Update(hash, (const uint8_t *)text.ptr, text.len);
    SHA256Update(hash, (const uint8_t *)"\n", 1);
}

static void add_stack(SHA2_CTX *hash, const struct gg_stack *stack)
{
    for (size_t i = 0; i < stack->len; i++) {
        if (gg_fingerprint_below_main(stack->frames[i]))
            return;
        add(hash, gg_fingerprint_frame(stack->frames[i]));
        if (stack->frames[i]->path)
            add(hash, gg_str(gg_fs_basename(stack->frames[i]->path)));
    }
}

static char *fingerprint(struct gg_arena *arena, const struct gg_finding *finding)
{
    SHA2_CTX hash;
    SHA256Init(&hash);
    add(&hash, gg_str("grindgate/v1"));
    add(&hash, gg_str(group_names[gg_kind_table[finding->kind].group]));
    if (finding->kind == GG_KIND_Unknown)
        add(&hash, gg_str(finding->kind_name));
    if (finding->stack_count)
        add_stack(&hash, &finding->stacks[0]);
    else
        add(&hash, gg_str(finding->message));
    char *hex = gg_arena_alloc(arena, SHA256_DIGEST_STRING_LENGTH);
    return SHA256End(&hash, hex);
}

void gg_fingerprint(struct gg_arena *arena, struct gg_finding *findings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        findings[i].fingerprint = fingerprint(arena, &findings[i]);
}
