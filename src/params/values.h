/* The values of the parameter file. A kind reads, writes and explains values; a row gives a
 * parameter's kind, permitted values, and place in a struct. Sections, fields and keys are tables
 * of rows. */
#pragma once

#include "params/params.h"

/* A word for a number, such as Max_Value. */
struct value_word {
    const char *word; /* NULL ends a list */
    long number;
};

enum { VALUE_ALIASES = 3 };
/* The bound itself is excluded; files for versions up to 4.1 may have a whole number with a
 * fraction, and more than the maximum, which means the maximum. */
enum value_bound { VALUE_ABOVE_MIN = 1, VALUE_BELOW_MAX = 2, VALUE_ROUNDED = 4, VALUE_CAPPED = 8 };

/* One parameter. */
struct value_row {
    const char *name;                   /* as it is documented and echoed */
    const char *aliases[VALUE_ALIASES]; /* other spellings; NULL after the last */
    const struct value_kind *kind;      /* how it is read, written and explained */
    size_t offset;                      /* in the struct that the table is about */
    bool repeats;                       /* may be written more than once */
    bool varying;         /* fields: about the variation, without meaning for another one */
    bool aside;           /* does not change the measurements, or only by the values of suites */
    const char *fallback; /* the default, as written in a file; NULL: none */
    const char *before;   /* keys: the value of results without the key; NULL: unknown */
    bool rare;            /* keys: not printed if the value is that one */
    const char *section;  /* the section that Default_Value refers to; NULL: not accepted */
    /* Fields whose default (and Default_Value) depends on earlier ones: a function and its text. */
    const char *(*fallback_for)(const struct suite *s);
    const char *fallback_doc;
    const struct value_word *words;  /* numbers, choices: additional words; may be NULL */
    const char *const *names;        /* choices: name of value i, NULL after the last */
    const char *(*choice)(size_t i); /* likewise, if another table has the names */
    const struct form *forms;        /* value_formed: ends with one of zeros */
    size_t number, file;             /* value_formed: the offsets of the number and the name */
    double min, max;                 /* numbers */
    unsigned bounds;                 /* of enum value_bound */
    const char *unit;                /* or NULL */
    long bytes; /* whole numbers: bytes of the unit, if a suffix may follow (base/text.h) */
    bool (*used)(const struct params *p); /* sections: does a suite use it? Otherwise it is not
                                             echoed. NULL: always */
    const char *doc;                      /* one or two sentences */
};

/* A value in its source, and the context to interpret it. */
struct value_input {
    const struct source *source;
    size_t from, to;               /* the value without white space around it */
    const struct value_input *set; /* of Parameters: keys that replace those of the value */
    const struct params *params;   /* for Default_Value */
    const struct catalog *types;
    struct complaints *complaints;
};

/* base is the struct that row->offset counts in. */
struct value_kind {
    size_t size; /* bytes in the struct; 0: Default_Value is not accepted */
    bool lines;  /* may be empty or have several lines */
    bool listed; /* a suite's field may have a list of such values: one suite for each */
    /* 0, or -1 with a complaint. May be called again for a parameter that repeats. */
    int (*parse)(const struct value_row *row, const struct value_input *in, void *base);
    /* Prints in the file's syntax; nothing if undefined. */
    void (*print)(const struct value_row *row, const void *base, struct text *out);
    const char *text; /* the accepted values, to follow "expected "; NULL: explain adds it */
    void (*explain)(const struct value_row *row, struct text *out);
    void (*release)(void *value); /* NULL: the value owns nothing */
};

extern const struct value_kind value_int;    /* int */
extern const struct value_kind value_long;   /* long */
extern const struct value_kind value_float;  /* double */
extern const struct value_kind value_choice; /* an enum, by its names */
extern const struct value_kind value_yesno;  /* bool */
extern const struct value_kind value_text;   /* char *, any number of lines; repeated ones join */
extern const struct value_kind value_file;   /* char *, one line */
/* A file value for a directory: on another disk, the measurements would change. */
extern const struct value_kind value_directory;

/* Kinds that only one or two parameters use. */
extern const struct value_kind value_basetype;   /* struct basetype */
extern const struct value_kind value_topology;   /* struct topology */
extern const struct value_kind value_suites;     /* @MEASUREMENTS; stores nothing, has no parse */
extern const struct value_kind value_label;      /* char *, lines NAME=VALUE, of a section each */
extern const struct value_kind value_suite_type; /* the type of a struct suite */
extern const struct value_kind value_datatype;   /* int, the number of a struct datatype_info */
extern const struct value_kind value_parameters; /* the options of a struct suite */
extern const struct value_kind value_word;       /* char[ALGORITHM_NAME], without blanks */
extern const struct value_kind value_few;        /* struct few_numbers */
extern const struct value_kind value_elem; /* a predefined type's number, by its name; 0: none */
/* A long and an enum of struct suite_options: one of row->forms, and its number, or row->file. */
extern const struct value_kind value_formed;

#define VALUE_KIND(name, parse_, print_, ...)                                                      \
    const struct value_kind value_##name = { .parse = parse_, .print = print_, __VA_ARGS__ }

/* The beginning of a row, whose file defines AT, the offset of a member; and a number's bounds. */
#define VALUE(name_, kind_, member, fallback_)                                                     \
    .name = name_, .kind = &value_##kind_, AT(member), .fallback = fallback_
#define RANGE(min_, max_) .min = min_, .max = max_

/* Does the row have this name or alias? Case is ignored. */
bool value_named(const struct value_row *row, const char *name, size_t len);

/* The names of choices, .names = NAMES("no", "yes"), and words: .words = WORDS({ "no", 0 }). */
#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define WORDS(...) ((const struct value_word[]){ __VA_ARGS__, { 0 } })

/* The name of a choice's value i; NULL after the last. */
const char *value_name(const struct value_row *row, int i);

/* Adds the accepted values: "an integer from 1 to 10, in bytes". */
void value_explain(const struct value_row *row, struct text *out);

/* Is the value one of row->words? */
bool value_word_find(const struct value_row *row, const struct value_input *in, long *number);

/* Complains that another value was expected. Always returns -1. */
int value_reject(const struct value_row *row, const struct value_input *in);

/* Reads a whole number, also written as 256.0 or 1e6. False, without a complaint, for others. */
bool value_whole(const struct value_input *in, long *number);

/* Reads a number in units of bytes, maybe with a suffix: 0, or -1 without a complaint. why: what to
 * write instead of a suffix with two meanings; NULL: there is none. */
int value_size(const struct value_input *in, long bytes, double *number, const char **why);

/* The place of the row's value in base. */
void *value_at(const struct value_row *row, void *base);
const void *value_get(const struct value_row *row, const void *base);

bool value_blank(char c); /* white space */

/* Quotes a piece of the file for a message: the beginning of a line, without control characters. */
enum { QUOTE_SIZE = 64 };
const char *value_quote(const char *s, size_t len, char buffer[QUOTE_SIZE]);

/* The quoted text in a buffer that lasts until the end of the block. */
#define quoted(s, len)                value_quote(s, len, (char[QUOTE_SIZE]){ "" })
#define quoted_part(source, from, to) quoted((source)->bytes + (from), (to) - (from))

/* Adds the shortest text that reads back as the same number; always with a point or an exponent. */
void value_print_float(double number, struct text *out);
