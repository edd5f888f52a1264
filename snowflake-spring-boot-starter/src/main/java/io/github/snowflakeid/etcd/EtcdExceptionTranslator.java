package io.github.snowflakeid.etcd;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpServers.Answer;

/**
 * Translates answers that report a failure. It recognizes a problem by words of etcd's message, because the codes of
 * the gateway differ between versions.
 */
final class EtcdExceptionTranslator {

    private static final String LOGIN = """
            {snowflake}.worker.etcd.username: shop
            {snowflake}.worker.etcd.password: ${ETCD_PASSWORD}""";

    private static final int NOT_FOUND = 404;

    private EtcdExceptionTranslator() {}

    /** @param prefix the start of all keys of leases */
    static RuntimeException translate(Answer answer, String prefix) {
        String body = answer.body();
        if (answer.status() == NOT_FOUND) {
            return answer.problem(
                            Problem.STORE_UNUSABLE,
                            "has no JSON gateway",
                            "Start etcd 3.4 or later without '--enable-grpc-gateway=false', and check that the URL is one of its client URLs.")
                    .unusable();
        }
        if (body.contains("CommonName")) {
            return answer.problem(
                            Problem.LOGIN_REJECTED,
                            "rejects client certificates with a common name at its JSON gateway",
                            "Issue a certificate without a common name, such as '/O=shop', for the SSL bundle, and log in with a password:\n\n"
                                    + LOGIN)
                    .unusable();
        }
        if (body.contains("user name is empty") || body.contains("invalid user ID or password")) {
            return answer.problem(
                            Problem.LOGIN_REJECTED,
                            "rejects the login",
                            "Set the user name and the password. A client certificate does not log in through the JSON gateway:\n\n"
                                    + LOGIN)
                    .unusable();
        }
        if (body.contains("permission denied")) {
            String what = "does not permit the user to read and write keys below '%s'".formatted(prefix);
            return answer.problem(Problem.MISSING_PERMISSION, what, """
                    As root of etcd, execute:

                    etcdctl role add snowflake
                    etcdctl role grant-permission snowflake --prefix=true readwrite %s
                    etcdctl user grant-role <user> snowflake""".formatted(prefix))
                    .unusable();
        }
        if (body.contains("database space exceeded")) {
            return answer.problem(Problem.STORE_FULL, "is full: its quota is exhausted", """
                    Remove old revisions, defragment each member, and clear the alarm:

                    etcdctl compact <revision>
                    etcdctl defrag --cluster
                    etcdctl alarm disarm""");
        }
        return answer.failure();
    }
}
