/* A contract with the ABI of the published one, for tests only: four-field actions, rows without digests.
 *
 * Like it, this one asks for nobody's authority, checks nothing it is given, pays for the rows itself, and lets anyone
 * erase all of them.
 */

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;

#define HOST(name) __attribute__((import_module("env"), import_name(#name))) extern
HOST(eosio_assert) void eosio_assert(u32 holds, const char *message);
HOST(current_time) u64 current_time(void);
HOST(action_data_size) u32 action_data_size(void);
HOST(read_action_data) u32 read_action_data(void *data, u32 size);
HOST(db_store_i64) i32 db_store_i64(u64 scope, u64 table, u64 payer, u64 id, const void *data, u32 size);
HOST(db_lowerbound_i64) i32 db_lowerbound_i64(u64 code, u64 scope, u64 table, u64 id);
HOST(db_end_i64) i32 db_end_i64(u64 code, u64 scope, u64 table);
HOST(db_previous_i64) i32 db_previous_i64(i32 iterator, u64 *id);
HOST(db_next_i64) i32 db_next_i64(i32 iterator, u64 *id);
HOST(db_remove_i64) void db_remove_i64(i32 iterator);
HOST(db_idx64_store) i32 db_idx64_store(u64 scope, u64 table, u64 payer, u64 id, const u64 *key);
HOST(db_idx64_find_primary) i32 db_idx64_find_primary(u64 code, u64 scope, u64 table, u64 *key, u64 id);
HOST(db_idx64_remove) void db_idx64_remove(i32 iterator);

/* Names as the chain packs them. */
#define ADDTEST 0x3253956320000000ull
#define ADDTIMETEST 0x3253974959563200ull
#define ERASE 0x55cd850000000000ull
#define TESTTABLE 0xcab19c98f1500000ull
#define TIMETABLE 0xcba4ac98f1500000ull

static u8 input[4096], row[4096];
static u32 at, end;

static u64 take_number(void) {
    u64 number;
    __builtin_memcpy(&number, input + at, 8);
    at += 8;
    return number;
}

/* Skips a field that begins with its length, and says where it began. */
static u32 skip(u32 each) {
    u32 from = at, length = 0, shift = 0;
    do length |= (u32)(input[at] & 0x7f) << shift, shift += 7;
    while (input[at++] & 0x80);
    at += each * length;
    return from;
}

static void put(const void *from, u32 count) {
    for (u32 i = 0; i < count; i++) row[end++] = ((const u8 *)from)[i];
}

static u64 next_id(u64 self, u64 table) {
    u64 last = 0;
    i32 behind = db_end_i64(self, self, table);
    if (behind == -1 || db_previous_i64(behind, &last) < 0) return 0;
    return last + 1;
}

static void add(u64 self, u64 table) {
    u32 size = action_data_size(), now = (u32)(current_time() / 1000000);
    eosio_assert(size <= sizeof input, "too long for a test");
    read_action_data(input, size);
    u64 id = next_id(self, table), creator = take_number(), testid = take_number();
    u32 description = skip(1), results = skip(8);
    put(&id, 8), put(&creator, 8), put(&testid, 8), put(&now, 4);
    put(input + results, at - results);
    put(input + description, results - description);
    db_store_i64(self, table, self, id, row, end);
    db_idx64_store(self, table, self, id, &creator);
    db_idx64_store(self, table | 1, self, id, &testid);
}

static void erase(u64 self, u64 table) {
    i32 found = db_lowerbound_i64(self, self, table, 0);
    while (found >= 0) {
        u64 id = 0, key;
        i32 behind = db_next_i64(found, &id), last = db_end_i64(self, self, table);
        db_previous_i64(behind < 0 ? last : behind, &id);
        db_remove_i64(found);
        db_idx64_remove(db_idx64_find_primary(self, self, table, &key, id));
        db_idx64_remove(db_idx64_find_primary(self, self, table | 1, &key, id));
        found = behind;
    }
}

__attribute__((export_name("apply"))) void apply(u64 receiver, u64 code, u64 action) {
    if (code != receiver) return;
    if (action == ADDTEST) add(receiver, TESTTABLE);
    else if (action == ADDTIMETEST) add(receiver, TIMETABLE);
    else if (action == ERASE) erase(receiver, TESTTABLE), erase(receiver, TIMETABLE);
    else eosio_assert(0, "unknown action");
}
