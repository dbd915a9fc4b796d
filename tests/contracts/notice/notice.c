/* A contract that tells `llmtest` of every action sent to itself: an attempt to record in somebody else's name. */

typedef unsigned long long u64;

__attribute__((import_module("env"), import_name("require_recipient"))) extern void require_recipient(u64 account);

#define LLMTEST 0x8c65956320000000ull

__attribute__((export_name("apply"))) void apply(u64 receiver, u64 code, u64 action) {
    (void)action;
    if (code == receiver) require_recipient(LLMTEST);
}
