#include "../test.h"

#include "results/shares.h"

TEST(every_moment_belongs_to_one_activity)
{
    struct shares s = shares_start(100.0);
    LOCAL_TEXT text = { 0 };
    shares_enter(&s, ACTIVITY_MEASURING, 101.0);
    enum activity before = shares_enter(&s, ACTIVITY_SYNCHRONISING, 104.0);
    assert_int_equal(before, ACTIVITY_MEASURING);
    shares_enter(&s, before, 105.0);
    shares_enter(&s, ACTIVITY_WRITING, 108.0);
    s.timed_s = 3.0;
    s.waiting_s = 1.0;
    shares_text(&s, 110.0, true, &text);
    assert_string_equal(text_get(&text),
                        "30.0 % measuring, 10.0 % synchronising, 10.0 % waiting, 20.0 % around "
                        "repetitions, 0.0 % preparing, 0.0 % coordinating, 0.0 % finding partners, "
                        "10.0 % starting, 20.0 % writing");
}

TEST(a_user_reads_five_shares_of_the_whole)
{
    struct shares s = shares_start(100.0);
    LOCAL_TEXT text = { 0 };
    shares_enter(&s, ACTIVITY_MEASURING, 102.0);
    shares_enter(&s, ACTIVITY_SYNCHRONISING, 105.0);
    shares_enter(&s, ACTIVITY_PREPARING, 106.0);
    s.timed_s = 2.0;
    s.waiting_s = 0.5;
    shares_text(&s, 110.0, false, &text);
    assert_string_equal(text_get(&text), "20.0 % measuring, 10.0 % synchronising, 5.0 % waiting, "
                                         "5.0 % around repetitions, 60.0 % between measurements");
}

TEST(a_run_without_time_has_no_shares)
{
    struct shares s = shares_start(5.0);
    LOCAL_TEXT text = { 0 };
    shares_text(&s, 5.0, false, &text);
    assert_string_equal(text_get(&text), "0.0 % measuring, 0.0 % synchronising, 0.0 % waiting, "
                                         "0.0 % around repetitions, 0.0 % between measurements");
}
