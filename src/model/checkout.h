/*
 * Checkout: a work tree, and the commit that it is at.
 */
#ifndef GG_MODEL_CHECKOUT_H
#define GG_MODEL_CHECKOUT_H

struct gg_checkout {
    const char *root; /* absolute, symbolic links resolved */
    const char
        *head; /* the id of HEAD's commit, in hex; NULL: not known, or nothing is committed */
};

#endif
