"""Every number of contract a2a.md that breaks naive clients, and the test that holds its right value.

D: differences between peers. F: public bug reports (those that the contract lists). AT: acceptance of the
product. What a test proves, it says itself; here is where it stands.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
AGENTS = "agents/test_a2a_"

D = {
    1: "wire: d01_langgraph_mixes_wrappers_and_kinds",
    2: "wire: d02_a_question_in_an_artifact_of_data, follow: a_question_in_an_artifact_is_shown",
    3: "wire: d03_wrappers_around_old_words_without_a_kind",
    4: "wire: d04_another_id_in_the_answer_is_seen, source: another_id_in_the_answer_is_followed_and_told",
    5: "wire: d05_append_false_is_not_append, exchange: without_append_the_artifact_is_replaced",
    6: "wire: d06_times_are_read_leniently_and_without_a_zone_are_utc",
    7: "wire: d07_one_event_over_twenty_lines",
    8: "wire: d08_content_in_place_of_parts",
    9: "client_streams: d09_a_body_that_is_cut_gives_what_came_and_then_the_cut",
    10: "client_streams: d10_an_error_inside_a_stream_is_a_fault_and_the_stream_goes_on, "
    "follow: an_exception_of_the_agent_is_failed_once_get_task_says_so",
    11: "follow: two_clean_ends_with_nothing_new_are_a_stall_and_then_it_is_polled, "
    "e2e/test_a2a_followed.py: a_server_that_returns_without_an_end_is_not_reported_done",
    12: "source: the_old_snapshot_of_a_continuing_stream_does_not_reopen_the_question",
    13: "wire: d13_final_says_that_the_stream_ends_and_nothing_of_the_task",
    14: "reports: d14_f14_a_state_that_is_repeated_is_one_request, "
    "follow: repeats_after_reattaching_make_one_request",
    15: "follow: the_snapshot_in_the_end_wins_over_doubled_pieces",
    16: "client_streams: d16_the_last_chunk_ends_a_stream_whatever_the_socket_does",
    17: "wire: d17_ready_for_input_has_no_words, "
    "follow: waiting_without_a_word_is_your_turn_and_needs_nobody",
    18: "wire: d18_an_error_hidden_in_metadata_is_words",
    19: "wire: d19_a_status_message_inherits_the_ids_around_it",
    20: "follow: a_new_message_id_at_every_poll_is_no_new_question",
    21: "discovery: d21_where_a_card_points_away_its_own_origin_is_tried_and_both_are_told",
    22: "discovery: d22_e_the_version_is_said_and_the_cache_knows_it",
}

F = {
    1: "agents/test_sse_long.py: f01_f03_f07_comments_an_event_without_end_and_many_lines",
    2: "client: f02_a_document_in_place_of_a_stream_counts, client: f02_a_refusal_keeps_its_status_and_words",
    3: "agents/test_sse_long.py: f01_f03_f07_comments_an_event_without_end_and_many_lines",
    4: "agents/test_sse_long.py: f04_f05_f06_at3_only_three_line_ends_end_a_line",
    5: "agents/test_sse_long.py: f04_f05_f06_at3_only_three_line_ends_end_a_line",
    6: "agents/test_sse_long.py: f04_f05_f06_at3_only_three_line_ends_end_a_line",
    7: "agents/test_sse_long.py: f01_f03_f07_comments_an_event_without_end_and_many_lines",
    9: "follow: a_stream_that_breaks_is_asked_after_and_opened_again_with_growing_pauses, "
    "source: a_stream_that_breaks_after_a_word_is_asked_after",
    10: "reports: f10_a_body_that_ends_cleanly_in_mid_task_is_not_the_whole_of_it",
    12: "reports: f12_silence_behind_a_first_working_is_asked_after_and_shows_what_is_stored, "
    "follow: silence_asks_and_declares_nothing",
    14: "reports: f14_what_was_missed_before_a_stream_without_a_snapshot_is_there",
    15: "source: a_task_that_the_server_forgot_is_lost_and_kept, "
    "e2e/test_a2a_followed.py: a_server_that_forgot_the_task_is_named",
    16: "client: f16_a_stream_may_be_silent_for_as_long_as_it_likes",
    17: "reports: f17_a_thousand_events_that_a_proxy_held_back_come_at_once, "
    "follow: a_proxy_that_holds_the_stream_back_does_not_hide_the_end",
    18: "client_streams: at4_f18_an_event_that_is_too_large_is_dropped_and_the_stream_lives_on",
    19: "client: f19_retry_after_is_seconds_or_a_date_and_has_a_cap, "
    "follow: a_busy_server_is_left_alone_for_as_long_as_it_asks",
    21: "exchange: pieces_are_joined_without_a_seam",
    23: "reports: f23_another_id_that_nobody_asked_for_is_told",
    24: "source: ready_for_input_is_your_turn_and_takes_more, "
    "source: stop_following_ends_the_stream_and_the_row_and_sends_nothing",
    25: "client_streams: f25_subscribe_is_post_then_get_and_that_is_remembered, "
    "client_streams: f25_a_verb_that_was_taken_for_an_id",
    26: "card: f26_at10_a_card_of_0_3_has_one_list_without_doubles, "
    "client: f26_a_dialect_that_is_not_spoken_is_changed_once_and_remembered",
    27: "wire: f27_kinds_where_wrappers_were_promised",
    29: "wire: f29_a_first_task_that_is_only_submitted_is_no_end",
    31: "reports: f31_a_task_that_only_repeats_itself_grows_old_and_keeps_its_word",
    32: "wire: f32_an_odd_envelope_is_opened",
    33: "find: f33_it_is_found_by_its_message_and_followed, find: f33_what_is_not_found_stays_unknown, "
    "source: the_row_is_written_before_a_byte_goes_out",
    35: "reports: f35_at14_a_wrong_clock_at_the_agents_changes_no_age_and_no_order",
}

AT = {
    1: "wire: at1_every_spelling_of_a_state, wire: at1_an_unknown_word_is_kept_and_ends_nothing",
    2: "wire: at2_alone_streamed_and_listed_are_one_view, "
    "wire: at2_all_dialects_of_the_same_words_are_one_view",
    3: "agents/test_sse_long.py: at3_framing_is_that_of_every_stream, "
    "agents/test_sse.py: framing_byte_by_byte",
    4: "client_streams: at4_a_line_without_end_ends_the_stream, "
    "agents/test_sse.py: megabytes_in_one_read_let_the_loop_run",
    5: "client: at5_an_answer_that_says_nothing_is_noise, faults: the_row_says_what_is_right",
    6: "follow: a_stream_that_breaks_is_asked_after_and_opened_again_with_growing_pauses, "
    "follow: the_pauses_begin_anew_after_something_new, "
    "follow: a_busy_server_is_left_alone_for_as_long_as_it_asks, "
    "follow: a_server_that_asks_who_we_are_waits_for_the_owner, "
    "client: f19_retry_after_is_seconds_or_a_date_and_has_a_cap",
    7: "client_streams: at7_what_a_finished_task_answers_is_a_fault, "
    "follow: repeats_after_reattaching_make_one_request",
    8: "source: an_answer_carries_both_ids_and_a_fresh_message_id, "
    "source: the_old_snapshot_of_a_continuing_stream_does_not_reopen_the_question, "
    "source: another_id_in_the_answer_is_followed_and_told, "
    "source: an_answer_that_is_refused_leaves_the_question_open, "
    "source: a_second_answer_to_one_question_sends_nothing, "
    "ui/test_direct_answer.py: a_refused_choice_may_be_sent_again",
    9: "client_streams: at9_six_megabytes_come_through, exchange: an_append_to_an_unknown_artifact_makes_it, "
    "exchange: after_its_end_a_task_says_nothing_more, "
    "exchange: files_and_objects_are_weighed_as_far_as_they_are_here",
    10: "card: at10_a_hybrid_card_counts_by_its_list_alone, discovery: at10_why_there_is_none, "
    "discovery: at10_a_card_that_changed_is_the_new_one",
    11: "source: at_most_32_streams_are_open_and_the_rest_is_polled, "
    "sockets: at11_leaving_closes_every_socket",
    12: "app/test_open_streams.py: at12_quitting_with_forty_streams_ends_with_nothing_said",
    13: "client_streams: at13_i7_a_credential_is_in_nothing_that_is_kept_or_raised, "
    "ui/test_direct_detail.py: artifacts_are_listed_and_seen_as_plain_text",
    14: "reports: f35_at14_a_wrong_clock_at_the_agents_changes_no_age_and_no_order",
}

PLACES = [
    (f"{letter}{number}", place)
    for letter, table in (("D", D), ("F", F), ("AT", AT))
    for number, places in table.items()
    for place in places.split(", ")
]


@cache
def names_in(file: Path) -> frozenset[str]:
    tree = ast.parse(file.read_text("utf-8"))
    return frozenset(
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


@pytest.mark.parametrize(("number", "place"), PLACES, ids=[f"{n} {p}" for n, p in PLACES])
def test_the_number_has_its_test(number: str, place: str) -> None:
    file, _, name = place.partition(": ")
    where = TESTS / (file if file.endswith(".py") else f"{AGENTS}{file}.py")
    assert f"test_{name}" in names_in(where), f"{number}: {place}"


def test_no_number_is_left_out() -> None:
    assert set(D) == set(range(1, 23)) and set(AT) == set(range(1, 15))
    assert set(F) == set(range(1, 36)) - {8, 11, 13, 20, 22, 28, 30, 34}
