package io.github.snowflakeid.redis;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.FailureRule;
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
record RedisExceptionTranslator(HashKind kind, String key) {

    private static final List<FailureRule> RULES = List.of(
            new FailureRule(
                    "NOAUTH|WRONGPASS|invalid password", Problem.LOGIN_REJECTED, "Redis rejects the login: ", """
                    Correct the user name and the password:

                    spring.data.redis.username: default
                    spring.data.redis.password: ${REDIS_PASSWORD}"""),
            new FailureRule("READONLY", Problem.READ_ONLY_STORE, "Redis is read-only: ", """
                    Connect to the primary server:

                    spring.data.redis.host: redis-primary.example.org"""),
            new FailureRule("OOM ", Problem.STORE_FULL, "Redis is full: ", """
                    Raise 'maxmemory' of Redis, or let it evict keys that expire: 'maxmemory-policy volatile-lru'."""),
            new FailureRule("NOREPLICAS", Problem.STORE_REJECTED_CALL, "Redis rejected the call: ", """
                    Start the replicas that 'min-replicas-to-write' requires."""),
            new FailureRule(
                    "NOPERM|ACL failure", Problem.MISSING_PERMISSION, "The Redis user may not %1$s '%2$s': ", """
                    As an administrator of Redis, execute:

                    ACL SETUSER <user> ~%2$s* %3$s"""));

    /** The beginning of an answer of the server that reports an error, such as LOADING. */
    private static final Pattern ANSWER = Pattern.compile("[A-Z]{2,} ");

    RuntimeException translate(RuntimeException failed) {
        String why = ControlCharacters.escape(Causes.message(Causes.root(failed)));
        String all = Causes.of(failed).stream()
                .map(cause -> String.valueOf(cause.getMessage()))
                .collect(Collectors.joining("\n"));
        FailureRule rule = FailureRule.find(RULES, all);
        if (rule != null) {
            String what = rule.what().formatted(kind.use(), key) + why;
            String action = rule.action().formatted(kind.use(), key, kind.permissions());
            return rule.isPermanent()
                    ? unusable(rule.problem(), what, action, failed)
                    : rule.problem().exception(what, action, failed);
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
}
