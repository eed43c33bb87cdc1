-- All statements of the result database by name, in the subset of SQL that SQLite and PostgreSQL share. {NAME} stands for
-- the part of that name.

-- SEEN
(run.state = 'published' OR CAST(? AS INTEGER) = 0)
-- NAME_OF_RUN
(SELECT fact.value FROM fact WHERE fact.run_id = run.id AND fact.name = 'NAMEOFRUN'
AND fact.value <> '' ORDER BY fact.position LIMIT 1)
-- ENVIRONMENT
(SELECT fact.value FROM fact WHERE fact.run_id = run.id AND fact.name = 'ENVIRONMENT'
ORDER BY fact.position LIMIT 1) AS environment
-- RUN
run.id, machine.slug AS machine, machine.title AS machine_name, account.name AS account, run.sha256,
  run.file, run.state, run.reason, run.note, run.received, run.started, run.version, run.library,
  run.vendor, run.library_version, run.processes, run.hosts, run.oversubscribed, run.merged,
  run.wall_s, run.suites, run.points, run.warnings, run.group_key, run.parameters_key,
  run.outdated_by, run.latest, {NAME_OF_RUN} AS name_of_run, {ENVIRONMENT}
-- RUNS
FROM run JOIN account ON account.id = run.account_id
LEFT JOIN machine ON machine.id = run.machine_id
-- SUITE
suite.run_id, suite.position, suite.label, suite.points, suite.first, suite.last, suite.meaning_id,
  meaning.axis_key, meaning.data
-- SUITES
FROM suite JOIN meaning ON meaning.id = suite.meaning_id
-- OF_RUN
run_id = ? ORDER BY position
-- lock
UPDATE setting SET value = value WHERE name = 'schema'
-- setting
SELECT value FROM setting WHERE name = ?
-- set
UPDATE setting SET value = ? WHERE name = ?
-- count_up
UPDATE counter SET value = value + ? WHERE name = ?
-- count
SELECT value FROM counter WHERE name = ?
-- counts
SELECT COUNT(*) AS runs, COUNT(DISTINCT run.machine_id) AS machines, COALESCE(SUM(run.suites), 0) AS
  suites, COALESCE(SUM(run.points), 0) AS points FROM run WHERE {SEEN}
-- accounts
SELECT id, name, trusted, created, (SELECT COUNT(*) FROM token WHERE token.account_id = account.id) AS tokens
FROM account ORDER BY id
-- account
SELECT id, name, trusted, created FROM account WHERE name = ?
-- account_by_id
SELECT id, name, trusted, created FROM account WHERE id = ?
-- account_of_token
SELECT account.id, account.name, account.trusted FROM account
JOIN token ON token.account_id = account.id WHERE token.secret = ?
-- revoke_tokens
DELETE FROM token WHERE account_id = ?
-- machines
SELECT machine.id, machine.slug, machine.title AS name, account.name AS owner, COUNT(*) AS runs,
  MIN(run.started) AS first, MAX(run.started) AS newest, (SELECT other.id FROM run AS other
WHERE other.machine_id = machine.id AND (other.state = 'published' OR CAST(? AS INTEGER) = 0)
ORDER BY COALESCE(other.started, '') DESC, other.id DESC LIMIT 1) AS newest_run, MAX(run.processes)
  AS processes FROM machine JOIN account ON account.id = machine.owner_id
JOIN run ON run.machine_id = machine.id WHERE {SEEN}
GROUP BY machine.id, machine.slug, machine.title, account.name ORDER BY MAX(run.id) DESC
-- machine_by_slug
SELECT id, slug, name, owner_id FROM machine WHERE slug = ?
-- machine_by_name
SELECT id, slug, name, owner_id FROM machine WHERE name = ?
-- forget_machine
DELETE FROM machine WHERE id = ? AND NOT EXISTS (SELECT 1 FROM run
WHERE run.machine_id = machine.id)
-- run
SELECT {RUN} {RUNS} WHERE run.id = ? AND {SEEN}
-- runs_by_current
run.state = 'published' AND run.outdated_by IS NULL AND COALESCE(run.started, '9') >= ?
-- runs_by_group
run.group_key = ?
-- runs_by_label
EXISTS (SELECT 1 FROM suite WHERE suite.run_id = run.id AND suite.label = ?)
-- runs_by_machine
machine.slug = ?
-- runs_by_newest_of_group
run.id IN (SELECT MAX(id) FROM run WHERE state = 'published' OR CAST(? AS INTEGER) = 0
GROUP BY group_key)
-- runs_by_outdated
run.state = 'published' AND (run.outdated_by IS NOT NULL OR COALESCE(run.started, '9') < ?)
-- runs_by_processes
run.processes = ?
-- runs_by_search
(LOWER(machine.title) LIKE ? ESCAPE '!' OR LOWER(run.library) LIKE ? ESCAPE '!')
-- runs_by_since
run.started >= ?
-- runs_by_state
run.state = ?
-- order_received
run.id DESC
-- order_started
run.started DESC, run.id DESC
-- run_of_file
SELECT id, state, reason, machine_id FROM run WHERE sha256 = ?
-- run_of_results
SELECT id, machine_id, sha256 FROM run
WHERE results_sha256 = ? AND account_id = ? AND id <> ? AND state <> 'received' ORDER BY id
-- run_for_check
SELECT run.id, run.sha256, run.file, run.state, run.machine_id, run.account_id, blob.bytes FROM run
JOIN blob ON blob.sha256 = run.sha256 WHERE run.id = ?
-- run_ids
SELECT id FROM run ORDER BY id
-- run_state
SELECT id, state, reason, machine_id, sha256, results_sha256, file FROM run WHERE id = ?
-- original
SELECT run.file, run.sha256, blob.bytes, blob.size FROM run JOIN blob ON blob.sha256 = run.sha256
WHERE run.id = ? AND {SEEN}
-- runs_of_machine
SELECT id, state, started, vendor, library, processes, group_key, parameters_key, outdated_by,
  latest, {ENVIRONMENT} FROM run WHERE machine_id = ?
-- facts
SELECT name, value FROM fact WHERE {OF_RUN}
-- warnings
SELECT kind, text FROM warning WHERE {OF_RUN}
-- figures
SELECT data FROM figure WHERE {OF_RUN}
-- newest_with_figures
SELECT {RUN} {RUNS} JOIN figure ON figure.run_id = run.id
WHERE run.machine_id = ? AND {SEEN} AND figure.data LIKE ?
ORDER BY COALESCE(run.started, '') DESC, run.id DESC LIMIT 1
-- findings
SELECT data FROM finding WHERE {OF_RUN}
-- meaning
SELECT id FROM meaning WHERE key = ?
-- meanings_of_run
SELECT DISTINCT meaning_id FROM suite WHERE run_id = ?
-- forget_meaning
DELETE FROM meaning WHERE id = ? AND NOT EXISTS (SELECT 1 FROM suite
WHERE suite.meaning_id = meaning.id)
-- suites
SELECT {SUITE} {SUITES} WHERE suite.run_id = ? ORDER BY suite.position
-- series
SELECT {SUITE}, suite.rows {SUITES} WHERE suite.run_id = ? AND suite.label = ?
-- labels
SELECT suite.run_id, suite.label, meaning.operation {SUITES} WHERE suite.run_id = ?
ORDER BY suite.position
-- all_series
SELECT {SUITE}, suite.rows {SUITES} WHERE suite.run_id = ? ORDER BY suite.position
-- common_operation
SELECT meaning.operation, meaning.variation, COUNT(DISTINCT run.machine_id) AS machines,
  MAX(suite.first) AS first, MIN(suite.last) AS last FROM run JOIN suite ON suite.run_id = run.id
JOIN meaning ON meaning.id = suite.meaning_id WHERE run.latest = 1
GROUP BY meaning.operation, meaning.variation
ORDER BY COUNT(DISTINCT run.machine_id) DESC, MIN(CASE WHEN meaning.variation = 'length' THEN 0 ELSE
  1 END), MIN(CASE WHEN meaning.pattern = 'p2p' THEN 0 ELSE 1 END), meaning.operation,
  meaning.variation
-- matrix
SELECT {SUITE}, suite.rows FROM run JOIN suite ON suite.run_id = run.id
JOIN meaning ON meaning.id = suite.meaning_id
WHERE run.latest = 1 AND meaning.operation = ? AND meaning.variation = ?
-- history
SELECT {SUITE}, suite.rows FROM (SELECT run.id, COALESCE(run.started, '') AS began FROM run
WHERE run.machine_id = ? AND {SEEN} AND EXISTS (SELECT 1 FROM suite
WHERE suite.run_id = run.id AND suite.label = ?) ORDER BY 2 DESC, 1 DESC LIMIT ? OFFSET ?) AS recent
JOIN suite ON suite.run_id = recent.id AND suite.label = ?
JOIN meaning ON meaning.id = suite.meaning_id ORDER BY recent.began DESC, recent.id DESC
-- cached
SELECT type, bytes FROM cache WHERE key = ?
-- cache_size
SELECT COALESCE(SUM(size), 0) FROM cache
-- cache_first
SELECT key, size FROM cache ORDER BY number LIMIT 1
-- uncache_runs
DELETE FROM cache_run WHERE key = ?
-- uncache
DELETE FROM cache WHERE key = ?
-- cached_keys
SELECT key FROM cache_run WHERE run_id = ?
-- is_erased
SELECT run_id, erased FROM tombstone WHERE sha256 = ?
-- was_run
SELECT sha256, erased FROM tombstone WHERE run_id = ?
-- events
SELECT event.moment, account.name AS account, event.run_id, event.what FROM event
JOIN account ON account.id = event.account_id ORDER BY event.id DESC LIMIT ?
-- forget_events
DELETE FROM event WHERE run_id = ?
-- any_run
SELECT COUNT(*) FROM run
-- counters
SELECT name, value FROM counter
-- set_count
UPDATE counter SET value = ? WHERE name = ?
-- copied_account
SELECT * FROM account WHERE id <> 1
-- copied_machine
SELECT * FROM machine WHERE id IN (SELECT run.machine_id FROM run WHERE {SEEN})
-- copied_runs
SELECT run.id FROM run WHERE {SEEN} ORDER BY run.id
-- copied_run
SELECT * FROM run WHERE id = ?
-- copied_blob
SELECT * FROM blob WHERE sha256 = ?
-- copied_meaning
SELECT * FROM meaning WHERE id = ?
-- erase_blob
DELETE FROM blob WHERE sha256 = ?
-- erase_run
DELETE FROM run WHERE id = ?
