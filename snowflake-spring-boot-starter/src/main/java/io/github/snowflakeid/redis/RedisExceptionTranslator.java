package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.Causes;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Translates failures of calls. It recognizes a problem by the first word of the server's answer, which is in one of
 * the messages of the client's exceptions.
 *
 * @param key the key of the hash
 */
record RedisExceptionTranslator(StoredKind kind, String key) {

    private static final List<Rule> RULES = List.of(
            new Rule("NOAUTH|WRONGPASS|invalid password", Problem.LOGIN_REJECTED, "Redis rejects the login: ", """
                    Correct the user name and the password:

                    spring.data.redis.username: default
                    spring.data.redis.password: ${REDIS_PASSWORD}"""),
            new Rule("READONLY", Problem.READ_ONLY_STORE, "Redis is read-only: ", """
                    Connect to the primary server:

                    spring.data.redis.host: redis-primary.example.org"""),
            new Rule("OOM ", Problem.STORE_FULL, "Redis is full: ", """
                    Raise 'maxmemory' of Redis, or let it evict keys that expire: 'maxmemory-policy volatile-lru'."""),
            new Rule("NOREPLICAS", Problem.STORE_REJECTED_CALL, "Redis rejected the call: ", """
                    Start the replicas that 'min-replicas-to-write' requires."""));

    private static final Pattern PERMISSION = Pattern.compile("NOPERM|ACL failure");

    /** The beginning of an answer of the server that reports an error, such as LOADING. */
    private static final Pattern ANSWER = Pattern.compile("[A-Z]{2,} ");

    /**
     * A problem of the server, whatever the key.
     *
     * @param words a regular expression that finds the problem in the messages of the exceptions
     * @param problem the problem
     * @param what the description; the reason follows
     * @param action the solution
     */
    private record Rule(String words, Problem problem, String what, String action) {}

    RuntimeException translate(RuntimeException failed) {
        String why = ControlCharacters.escape(rootMessage(failed));
        String all = Causes.of(failed).stream()
                .map(cause -> String.valueOf(cause.getMessage()))
                .collect(Collectors.joining("\n"));
        for (Rule rule : RULES) {
            if (Pattern.compile(rule.words).matcher(all).find()) {
                return rule.problem == Problem.LOGIN_REJECTED
                        ? unusable(rule.problem, rule.what + why, rule.action, failed)
                        : rule.problem.exception(rule.what + why, rule.action, failed);
            }
        }
        if (PERMISSION.matcher(all).find()) {
            return unusable(
                    Problem.MISSING_PERMISSION,
                    "The Redis user may not %s '%s': %s".formatted(kind.use(), key, why),
                    """
                    As an administrator of Redis, execute:

                    ACL SETUSER <user> ~%s* %s""".formatted(key, kind.permissions()),
                    failed);
        }
        if (all.contains("WRONGTYPE")) {
            return foreign("exists in Redis, but is not a " + kind.hash(), failed);
        }
        return ANSWER.matcher(why).lookingAt()
                ? Problem.STORE_REJECTED_CALL.exception("Redis rejected the call: " + why, null, failed)
                : Problem.STORE_UNREACHABLE.exception(
                        "Redis did not answer: " + why, "Start Redis, and check 'spring.data.redis'.", failed);
    }

    /** Returns the exception for a hash with other data. */
    RuntimeException foreign() {
        return foreign("exists in Redis, but is not a " + kind.hash(), null);
    }

    /** Returns the exception for a hash with a field that is not a lease. */
    RuntimeException foreign(String field) {
        return foreign(
                "in Redis has a field '%s' that is not a lease".formatted(ControlCharacters.escape(field)), null);
    }

    private RuntimeException foreign(String what, @Nullable Throwable cause) {
        return unusable(
                Problem.FOREIGN_DATA,
                "Key '%s' %s".formatted(key, what),
                "Use another prefix for the keys of %s:\n\n%s".formatted(kind.rows(), kind.keyPrefix()),
                cause);
    }

    private RuntimeException unusable(Problem problem, String message, String action, @Nullable Throwable cause) {
        return kind.unusable().apply(problem.exception(message, action, cause));
    }

    private static String rootMessage(Throwable failed) {
        Throwable root = Causes.root(failed);
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
