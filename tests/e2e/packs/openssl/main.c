/* Keys, a certificate and random numbers; loses some of them; reads past the end in what OpenSSL
 * calls; and dies before OpenSSL can clean up. */
#include <stdlib.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

static EVP_PKEY *key;
static X509 *certificate;

static void make(void)
{
    key = EVP_EC_gen("P-256");
    certificate = X509_new();
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 99999);
    X509_set_pubkey(certificate, key);
    X509_sign(certificate, key, EVP_sha256());
}

static void work(void)
{
    unsigned char bytes[64];
    unsigned len;
    RAND_bytes(bytes, sizeof bytes);
    EVP_Digest("x", 1, bytes, &len, EVP_sha256(), NULL);
    make();
    BIO *memory = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(memory, certificate);
    X509_free(PEM_read_bio_X509(memory, NULL, NULL, NULL));
    BIO_free(memory);
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), NULL, bytes, bytes);
    EVP_CIPHER_CTX_free(cipher);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_use_certificate(context, certificate);
    SSL_CTX_free(context);
    ERR_error_string(ERR_get_error(), NULL);
    EVP_PKEY_free(key);
    X509_free(certificate);
}

static int check(int ok, X509_STORE_CTX *context)
{
    (void)context;
    char *text = calloc(4, 1);
    ok += text[6]; // expect: InvalidRead
    free(text);
    return ok;
}

static void verify(void)
{
    make();
    X509_STORE *store = X509_STORE_new();
    X509_STORE_set_verify_cb(store, check);
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    X509_STORE_CTX_init(context, store, certificate, NULL);
    X509_verify_cert(context);
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    EVP_PKEY_free(key);
    X509_free(certificate);
}

static void lose(void)
{
    EVP_MD_CTX_new();     // expect: Leak_DefinitelyLost
    BIO_new(BIO_s_mem()); // expect: Leak_DefinitelyLost Leak_IndirectlyLost
    BN_new();             // expect: Leak_DefinitelyLost
    OPENSSL_malloc(10);   // expect: Leak_DefinitelyLost
}

int main(void)
{
    work();
    verify();
    lose();
    work();
    abort(); // expect: FatalSignal
}
