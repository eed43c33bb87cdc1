#include "params/tables.h"

static const char *variation_choice(size_t i)
{
    return i < VARIATION_COUNT ? variation_info((enum variation)i)->name : NULL;
}

static const char *scale_choice(size_t i)
{
    return i <= SCALE_DYNAMIC_LOG ? scale_name((enum scale)i) : NULL;
}

static const char *variation_fallback(const struct suite *s)
{
    if (type_varies(s->type, VARY_LENGTH))
        return variation_choice(VARY_LENGTH);
    return variation_choice(type_varies(s->type, VARY_NODES) ? VARY_NODES : VARY_NONE);
}

static const char *scale_fallback(const struct suite *s)
{
    bool any_length = s->variation == VARY_LENGTH && s->type->application == NULL;
    if (s->variation == VARY_WINDOW || s->variation == VARY_PARTITIONS)
        return scale_name(SCALE_FIXED_LOG);
    return scale_name(any_length ? SCALE_DYNAMIC_LOG : SCALE_FIXED_LINEAR);
}

static const char *multiple_fallback(const struct suite *s)
{
    return s->variation == VARY_LENGTH ? "Default_Value" : "1";
}

static const char *stepwidth_fallback(const struct suite *s)
{
    if (s->variation == VARY_WORK && !scale_is_log(s->scale))
        return "10";
    if (s->variation == VARY_PARTITIONS && scale_is_log(s->scale))
        return "2";
    return scale_is_log(s->scale) ? "1.414213562" : "1";
}

static const struct value_word no_limit[] = { { "Invalid_Value", 0 },
                                              { "Invalid_Time", 0 },
                                              { 0 } };
static const struct value_word max_value[] = { { "Max_Value", MAX_VALUE }, { 0 } };

/* No buffer is longer than this, and sums over processes stay far from overflow. */
#define MAX_LENGTH (double)(1LL << 40)

#define AT(member) .offset = offsetof(struct suite, member)

/* clang-format off */
static const struct value_row fields[FIELD_COUNT] = {
    [FIELD_TYPE] = { .name = "Type", .kind = &value_suite_type, AT(type),
      .doc = "What is measured: the MPI operations and their pattern. Required." },
    [FIELD_SEND_BASETYPE] = { .name = "Send_Basetype_Number", .aliases = { "Basetype_Number" },
      .kind = &value_int, AT(send_basetype), .fallback = "1", .min = 1, .max = BASETYPE_MAX,
      .doc = "The @BASETYPE of the sender; Basetype_Number sets the receiver's as well." },
    [FIELD_RECEIVE_BASETYPE] = { .name = "Receive_Basetype_Number",
      .aliases = { "Recv_Basetype_Number", "Basetype_Number" }, .kind = &value_int,
      AT(receive_basetype), .fallback = "1", .fallback_doc = "the sender's", .min = 1,
      .max = BASETYPE_MAX,
      .doc = "The @BASETYPE of the receiver." },
    [FIELD_SEND_DATATYPE] = { .name = "Send_Datatype_Number", .kind = &value_datatype,
      AT(send_datatype), .fallback = "5",
      .doc = "The sender's datatype: 1 MPI_BYTE, 2 MPI_CHAR, 3 MPI_FLOAT, 4 MPI_DOUBLE, 5 "
             "MPI_INT, 20 the basetype itself, 30 and up: types built from it." },
    [FIELD_RECEIVE_DATATYPE] = { .name = "Receive_Datatype_Number",
      .aliases = { "Recv_Datatype_Number" }, .kind = &value_datatype, AT(receive_datatype),
      .fallback = "5", .fallback_doc = "the sender's",
      .doc = "The receiver's datatype, with the same elements as the sender's." },
    [FIELD_VARIATION] = { .name = "Variation", .kind = &value_choice, AT(variation),
      .choice = variation_choice, .fallback_for = variation_fallback,
      .doc = "What the suite varies.",
      .fallback_doc = "Length, else Nodes, else None: the first that the type has" },
    [FIELD_SCALE] = { .name = "Scale", .kind = &value_choice, AT(scale), .choice = scale_choice,
      .fallback_for = scale_fallback,
      .doc = "How the arguments are placed: in equal steps or as powers of Stepwidth; a dynamic "
             "scale adds arguments where interpolation is most wrong, up to Max_Steps.",
      .fallback_doc = "Dynamic_log for Length, Fixed_log for Window, else Fixed_linear" },
    [FIELD_MAX_REPETITION] = { .name = "Max_Repetition", .kind = &value_int, AT(max_repetition),
      .fallback = "Default_Value", .section = "@MAXREPDEFAULT", .min = 1, .max = 10000000,
      .doc = "Maximum number of repetitions of a measurement." },
    [FIELD_MIN_REPETITION] = { .name = "Min_Repetition", .kind = &value_int, AT(min_repetition),
      .fallback = "Default_Value", .section = "@MINREPDEFAULT", .min = 1, .max = 10000000,
      .doc = "Minimum number of repetitions of a measurement; Standard_error may require more." },
    [FIELD_MULTIPLE_OF] = { .name = "Multiple_of", .kind = &value_int, AT(multiple_of),
      .fallback = "Default_Value", .section = "@MULTIPLEOFDEFAULT", .min = 1, .max = 1 << 30,
      .fallback_for = multiple_fallback,
      .doc = "Every argument is a multiple of this.",
      .fallback_doc = "Default_Value for Length, else 1" },
    [FIELD_TIME_MEASUREMENT] = { .name = "Time_Measurement", .kind = &value_float,
      AT(time_measurement_minutes), .fallback = "Invalid_Value", .section = "@TIMEMEASDEFAULT",
      .words = no_limit, .min = 0, .max = 1000000, .unit = "minutes",
      .doc = "No repetition begins after a measurement has taken this time. A limit replaces "
             "Min_Repetition and Standard_error." },
    [FIELD_TIME_SUITE] = { .name = "Time_Suite", .kind = &value_float, AT(time_suite_minutes),
      .fallback = "Invalid_Value", .section = "@TIMESUITEDEFAULT", .words = no_limit, .min = 0,
      .max = 1000000, .unit = "minutes",
      .doc = "No measurement begins after the suite has taken this time." },
    [FIELD_NODE_TIMES] = { .name = "Node_Times", .kind = &value_yesno, AT(node_times),
      .fallback = "no",
      .doc = "Also report the time of each process in the repetition nearest to the reported time." },
    [FIELD_CUT_QUANTILE] = { .name = "Cut_Quantile", .kind = &value_float, AT(cut_quantile),
      .fallback = "Default_Value", .section = "@CUTQUANTILEDEFAULT", .min = 0, .max = 0.5,
      .bounds = VALUE_BELOW_MAX,
      .doc = "The part of the repetitions that is dropped at each end, fastest and slowest." },
    [FIELD_CHUNKS] = { .name = "Default_Chunks", .kind = &value_long, AT(default_chunks),
      .fallback = "0", .min = 0, .max = MAX_CHUNKS, .bounds = VALUE_ROUNDED,
      .doc = "Chunks of work for master and workers if they are not varied; 0: eight for each "
             "worker." },
    [FIELD_LENGTH] = { .name = "Default_Message_length", .kind = &value_long,
      AT(default_length_bytes), .fallback = "256", .min = 0, .max = MAX_LENGTH,
      .bounds = VALUE_ROUNDED, .unit = "bytes",
      .doc = "The message length if it is not varied." },
    [FIELD_START] = { .name = "Start_Argument", .kind = &value_long, AT(start_argument),
      .fallback = "0", .min = 0, .max = MAX_LENGTH,
      .doc = "The first argument." },
    [FIELD_END] = { .name = "End_Argument", .kind = &value_long, AT(end_argument),
      .fallback = "Max_Value", .words = max_value, .min = 0, .max = MAX_LENGTH,
      .doc = "The largest argument. Max_Value: the maximum that @MEMORY and the processes allow." },
    [FIELD_STEPWIDTH] = { .name = "Stepwidth", .kind = &value_float, AT(stepwidth), .min = 0,
      .max = MAX_LENGTH, .bounds = VALUE_ABOVE_MIN, .fallback_for = stepwidth_fallback,
      .doc = "From one argument to the next: the distance on a linear scale, the factor (above 1) "
             "on a logarithmic one.",
      .fallback_doc = "1.414213562 on a logarithmic scale, 1 on a linear one" },
    [FIELD_MAX_STEPS] = { .name = "Max_Steps", .kind = &value_int, AT(max_steps),
      .fallback = "Default_Value", .section = "@MAXSTEPSDEFAULT", .min = 1, .max = 1000000,
      .doc = "Maximum number of measurements on a dynamic scale." },
    [FIELD_MIN_DISTANCE] = { .name = "Min_Distance", .kind = &value_float, AT(min_distance),
      .fallback = "2", .min = 0, .max = MAX_LENGTH,
      .doc = "Minimum distance of arguments that a dynamic scale adds from all others." },
    [FIELD_MAX_DISTANCE] = { .name = "Max_Distance", .kind = &value_float, AT(max_distance),
      .fallback = "512", .min = 0, .max = MAX_LENGTH,
      .doc = "A dynamic scale adds arguments while neighbours are further apart, or not accurate." },
    [FIELD_STANDARD_ERROR] = { .name = "Standard_error", .kind = &value_float, AT(standard_error),
      .fallback = "Default_Value", .section = "@STANDARDERRORDEFAULT", .min = 0, .max = 1,
      .doc = "A measurement ends when its standard error is below this, but not before 3 / Standard_error "
             "repetitions, or 12 / Standard_error if Cut_Quantile is smaller than Standard_error; "
             "0.05 is five percent." },
    [FIELD_TOPOLOGY] = { .name = "Virtual_Topology_Number", .kind = &value_int, AT(topology),
      .fallback = "0", .min = 0, .max = TOPOLOGY_MAX,
      .doc = "The @TOPOLOGY that the processes get; 0: none." },
    [FIELD_PARAMETERS] = { .name = "Parameters", .kind = &value_parameters, AT(options),
      .fallback = "\"\"",
      .doc = "Further options of the type: keys and values, separated by blanks." },
};
/* clang-format on */

const struct value_row *field_get(enum field field)
{
    return &fields[field];
}

unsigned field_mask(const char *name, size_t len)
{
    unsigned mask = 0;
    for (int i = FIELD_NAME + 1; i < FIELD_COUNT; i++)
        if (value_named(&fields[i], name, len))
            mask |= 1u << i;
    return mask;
}

const char *field_nearest(const char *name)
{
    return text_nearest(name, FIELD_COUNT - FIELD_NAME - 1, &fields[FIELD_NAME + 1].name,
                        sizeof(*fields));
}

bool field_concerns_arguments(enum field field)
{
    const unsigned long fields_of_arguments =
        1ul << FIELD_SCALE | 1ul << FIELD_MULTIPLE_OF | 1ul << FIELD_START | 1ul << FIELD_END |
        1ul << FIELD_STEPWIDTH | 1ul << FIELD_MIN_DISTANCE | 1ul << FIELD_MAX_DISTANCE;
    return (fields_of_arguments & 1ul << field) != 0;
}

int field_parse(enum field field, const struct value_input *in, struct suite *s)
{
    const struct value_row *row = &fields[field];
    bool dependent = row->fallback_for != NULL && (in->to == 0 || row->section != NULL);
    size_t len = in->to - in->from;
    if (dependent &&
        (in->to == 0 || text_same_n(in->source->bytes + in->from, len, "Default_Value")))
        return section_text_parse(row, row->fallback_for(s), in, s);
    if (in->to == 0)
        return section_text_parse(row, row->fallback, in, s);
    return section_value_parse(row, in, s);
}
