/* llmtest: an append-only record of test results on an Antelope chain.
 *
 * Two actions, `addtest` and `addtimetest`, each add one row to a table of their own. Nothing here can change or erase
 * a row: the functions of the chain that could are not even declared, so the built module does not import them.
 *
 * One file, no library: what the chain runs is what stands on these pages. The action's data is read once into
 * `input`, checked field by field, and written field by field into `row` in the order of the ABI's `record`.
 */

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;

/* Functions of the chain. */
#define HOST(name) __attribute__((import_module("env"), import_name(#name))) extern
HOST(eosio_assert) void eosio_assert(u32 holds, const char *message);
HOST(require_auth) void require_auth(u64 account);
HOST(current_time) u64 current_time(void);
HOST(action_data_size) u32 action_data_size(void);
HOST(read_action_data) u32 read_action_data(void *data, u32 size);
HOST(db_store_i64) i32 db_store_i64(u64 scope, u64 table, u64 payer, u64 id, const void *data, u32 size);
HOST(db_end_i64) i32 db_end_i64(u64 code, u64 scope, u64 table);
HOST(db_previous_i64) i32 db_previous_i64(i32 iterator, u64 *id);
HOST(db_idx64_store) i32 db_idx64_store(u64 scope, u64 table, u64 payer, u64 id, const u64 *key);

enum {
    MOST_RESULTS = 64,
    LONGEST_DESCRIPTION = 256,
    DIGESTS = 2 * 32,
    LONGEST_INPUT = 8 + 8 + 2 + LONGEST_DESCRIPTION + 1 + 8 * MOST_RESULTS + DIGESTS,
    LONGEST_ROW = 8 + LONGEST_INPUT + 4,
    NO_TABLE = -1,
};

/* Names as the chain packs them: five bits a letter from the top, '.' 0, 'a' to 'z' 6 to 31. */
#define LETTER(c, place) ((u64)((c) - 'a' + 6) << (59 - 5 * (place)))
#define ADD LETTER('a', 0) | LETTER('d', 1) | LETTER('d', 2)
#define TEST(from) LETTER('t', from) | LETTER('e', from + 1) | LETTER('s', from + 2) | LETTER('t', from + 3)
#define TIME(from) LETTER('t', from) | LETTER('i', from + 1) | LETTER('m', from + 2) | LETTER('e', from + 3)
#define TABLE \
    LETTER('t', 4) | LETTER('a', 5) | LETTER('b', 6) | LETTER('l', 7) | LETTER('e', 8)
static const u64 ADDTEST = ADD | TEST(3);
static const u64 ADDTIMETEST = ADD | TIME(3) | TEST(7);
static const u64 TESTTABLE = TEST(0) | TABLE;
static const u64 TIMETABLE = TIME(0) | TABLE;
/* The low four bits of a table's name number its secondary indexes. */
static const u64 BY_USER = 0;
static const u64 BY_TESTID = 1;

static u8 input[LONGEST_INPUT];
static u8 row[LONGEST_ROW];

/* Where reading stands in `input`, and where writing stands in `row`. */
static u32 size, at, end;

static void check(u32 holds, const char *message) { eosio_assert(holds, message); }

static const u8 *take(u32 count) {
    const u8 *from = input + at;
    check(count <= size - at, "the action data ends too early: pack it by this contract's ABI");
    at += count;
    return from;
}

static u64 number_at(const u8 *from) {
    u64 number;
    __builtin_memcpy(&number, from, sizeof number);
    return number;
}

/* A length in its shortest form, seven bits a byte; one of more than two bytes is beyond every limit here. */
static u32 take_length(const char *too_many, u32 most) {
    u32 length = *take(1);
    if (length >= 0x80) {
        u32 high = *take(1);
        check(high != 0, "a length is not in its shortest form: pack it by this contract's ABI");
        check(high < 0x80, too_many);
        length = (length & 0x7f) | high << 7;
    }
    check(length <= most, too_many);
    return length;
}

static void put(const u8 *from, u32 count) {
    for (u32 i = 0; i < count; i++) row[end++] = from[i];
}

static void put_number(u64 number, u32 count) {
    for (u32 i = 0; i < count; i++) row[end++] = (u8)(number >> 8 * i);
}

static void put_length(u32 length) {
    if (length >= 0x80) put_number((length & 0x7f) | 0x80 | length >> 7 << 8, 2);
    else put_number(length, 1);
}

/* Well-formed UTF-8 (RFC 3629): no overlong form, no surrogate, nothing above U+10FFFF. Readers as JSON would
 * otherwise see another text than the one that was signed. */
static u32 is_utf8(const u8 *text, u32 length) {
    u32 i = 0;
    while (i < length) {
        u32 first = text[i++];
        u32 more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        u32 low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        u32 high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || more > length - i) return 0;
        for (; more; more--, i++, low = 0x80, high = 0xbf)
            if (text[i] < low || text[i] > high) return 0;
    }
    return 1;
}

/* Checks the rest of the action's data and appends what the row holds after `created_at`. */
static void copy_fields(void) {
    u32 length = take_length("the description is too long: at most 256 bytes", LONGEST_DESCRIPTION);
    check(length != 0, "the description is empty: say which run it is");
    const u8 *description = take(length);
    check(is_utf8(description, length), "the description is not UTF-8");

    u32 count = take_length("too many results: at most 64", MOST_RESULTS);
    check(count != 0, "there are no results: give 1 to 64");
    const u8 *results = take(8 * count);
    for (u32 i = 0; i < count; i++)
        check((number_at(results + 8 * i) >> 52 & 0x7ff) != 0x7ff, "a result is not finite: NaN and infinity are refused");

    const u8 *digests = take(DIGESTS);
    check(at == size, "the action data goes on after the last field: pack it by this contract's ABI");
    put_length(count);
    put(results, 8 * count);
    put_length(length);
    put(description, length);
    put(digests, DIGESTS);
}

/* One more than the last id. Rows are never erased, so no id is ever used twice. */
static u64 next_id(u64 self, u64 table) {
    u64 last = 0;
    i32 behind = db_end_i64(self, self, table);
    if (behind == NO_TABLE) return 0;
    db_previous_i64(behind, &last);
    return last + 1;
}

static void append(u64 self, u64 table) {
    size = action_data_size();
    read_action_data(input, size < LONGEST_INPUT ? size : LONGEST_INPUT);
    u64 creator = number_at(take(8));
    require_auth(creator);
    u64 testid = number_at(take(8));
    check(testid != 0, "the testid is empty: give the run's name of up to 12 characters");

    u64 id = next_id(self, table);
    put_number(id, 8);
    put_number(creator, 8);
    put_number(testid, 8);
    put_number(current_time() / 1000000, 4);
    copy_fields();
    db_store_i64(self, table, creator, id, row, end);
    db_idx64_store(self, table | BY_USER, creator, id, &creator);
    db_idx64_store(self, table | BY_TESTID, creator, id, &testid);
}

/* The chain calls this for every action sent to this account, and for every notice of an action sent to another. */
__attribute__((export_name("apply"))) void apply(u64 receiver, u64 code, u64 action) {
    if (code != receiver) return; /* a notice: somebody else's action can write nothing here */
    if (action == ADDTEST) append(receiver, TESTTABLE);
    else if (action == ADDTIMETEST) append(receiver, TIMETABLE);
    else check(0, "unknown action: this contract has addtest and addtimetest only");
}
