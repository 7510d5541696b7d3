/* The contract's defaults. */
#include "grindgate/grindgate.h"

void gg_options_default(struct gg_options *options)
{
    *options = (struct gg_options){.valgrind = "valgrind",
                                   .blame = true,
                                   .fail_on = GG_FAIL_ON_ERROR,
                                   .external = GG_EXTERNAL_WARN,
                                   .auxiliary = GG_AUXILIARY_OPEN};
}
