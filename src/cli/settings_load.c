#include "cli/settings.h"

#include <limits.h>

bool gg_settings_load(struct gg_opts *opts, bool need_repository, struct gg_config *config,
                      struct gg_error *err)
{
    char root[PATH_MAX];
    struct gg_error none = {0};
    if (!gg_opt_environment(opts, err))
        return false;
    bool found = gg_repository_root(gg_opt_text(opts, GG_OPT_REPO), root, sizeof root,
                                    need_repository ? err : &none);
    if (!found && need_repository)
        return false;
    return gg_config_load(opts, found ? root : NULL, config, err);
}
