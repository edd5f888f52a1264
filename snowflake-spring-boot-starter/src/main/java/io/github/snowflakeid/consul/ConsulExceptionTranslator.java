package io.github.snowflakeid.consul;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpServers.Answer;

/** Translates answers that report a failure. */
final class ConsulExceptionTranslator {

    private static final int FORBIDDEN = 403;

    private ConsulExceptionTranslator() {}

    /** @param prefix the start of all keys of leases */
    static RuntimeException translate(Answer answer, String prefix) {
        String body = answer.body();
        if (answer.status() == FORBIDDEN && body.contains("ACL not found")) {
            return answer.problem(
                            Problem.LOGIN_REJECTED,
                            "does not know the token",
                            "Set a valid token:\n\n{snowflake}.worker.consul.token: ${CONSUL_HTTP_TOKEN}")
                    .unusable();
        }
        if (answer.status() == FORBIDDEN) {
            return denied(answer, prefix);
        }
        if (body.contains("No path to datacenter")) {
            return answer.problem(
                    Problem.STORE_UNREACHABLE,
                    "does not reach the datacenter",
                    "Set a datacenter that 'consul catalog datacenters' lists:\n\n{snowflake}.worker.consul.datacenter: dc1");
        }
        return answer.failure();
    }

    /** Returns the exception for an answer that denies keys, or leaves them out. */
    static RuntimeException denied(Answer answer, String prefix) {
        String what = "does not permit the token to read and write all keys below '%s'".formatted(prefix);
        return answer.problem(Problem.MISSING_PERMISSION, what, """
                As an administrator of Consul, create a policy, and add it to the token:

                consul acl policy create -name snowflake -rules 'key_prefix "%s" { policy = "write" }'
                consul acl token update -id <accessor-id> -policy-name snowflake -merge-policies

                If there is no token yet, set it:

                {snowflake}.worker.consul.token: ${CONSUL_HTTP_TOKEN}""".formatted(prefix))
                .unusable();
    }
}
