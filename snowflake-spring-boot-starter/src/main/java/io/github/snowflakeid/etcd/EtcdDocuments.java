package io.github.snowflakeid.etcd;

import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpDocuments;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpServers.Answer;
import io.github.snowflakeid.internal.store.FailureRule;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParser;
import org.springframework.boot.json.JsonWriter;
import org.springframework.util.StringUtils;

/**
 * The documents of leases in etcd, through its JSON gateway: one key for each worker ID, whose version is the revision
 * of its last modification. All reads are linearizable, so also a member that was cut off from the others answers no
 * stale data. Keys are attached to no lease of etcd, because the record of issued IDs must not expire.
 *
 * <p>The clock is the one of the member that answers.
 *
 * @param servers the members of etcd
 * @param username the name of the user; empty or null if there is none
 * @param password returns the password of the user
 * @param prefix the start of all keys of leases
 * @param token the token of the user; null before the login, empty if etcd does not require logins
 * @param begin returns when the call of the registry began, in nanoseconds
 */
record EtcdDocuments(
        HttpServers servers,
        @Nullable String username,
        Supplier<String> password,
        String prefix,
        AtomicReference<@Nullable String> token,
        LongSupplier begin)
        implements HttpDocuments {

    private static final String LOGIN = """


            {snowflake}.worker.etcd.username: shop
            {snowflake}.worker.etcd.password: ${ETCD_PASSWORD}""";

    /** The words are of etcd's message, because the codes of the gateway differ between versions. */
    static final List<FailureRule> RULES = List.of(
            new FailureRule(
                    "^404 ",
                    Problem.STORE_UNUSABLE,
                    "has no JSON gateway",
                    "Start etcd 3.4 or later without '--enable-grpc-gateway=false', and check that the URL is one of its client URLs."),
            new FailureRule(
                    "CommonName",
                    Problem.LOGIN_REJECTED,
                    "rejects client certificates with a common name at its JSON gateway",
                    "Issue a certificate without a common name, such as '/O=shop', for the SSL bundle, and log in with a password:"
                            + LOGIN),
            new FailureRule(
                    "user name is empty|authentication failed",
                    Problem.LOGIN_REJECTED,
                    "rejects the login",
                    "Set the user name and the password. A client certificate does not log in through the JSON gateway:"
                            + LOGIN),
            new FailureRule(
                    "permission denied",
                    Problem.MISSING_PERMISSION,
                    "does not permit the user to read and write keys below '%s'",
                    """
                    As root of etcd, execute:

                    etcdctl role add snowflake
                    etcdctl role grant-permission snowflake --prefix=true readwrite %s
                    etcdctl user grant-role <user> snowflake"""),
            new FailureRule("database space exceeded", Problem.STORE_FULL, "is full: its quota is exhausted", """
                    Remove old revisions, defragment each member, and clear the alarm:

                    etcdctl compact <revision>
                    etcdctl defrag --cluster
                    etcdctl alarm disarm"""));

    /**
     * A token expires, and a member that was restarted or a change of permissions makes it invalid. There is none
     * before logins are required. The last words are of versions before 3.4.19 and 3.5.2.
     */
    private static final Pattern TOKEN_EXPIRED = Pattern.compile(
            "invalid auth token|revision of auth store is old|user name is empty|revision in header is old");

    @Override
    public EtcdDocuments forOneCall() {
        long now = System.nanoTime();
        return new EtcdDocuments(servers, username, password, prefix, token, () -> now);
    }

    @Override
    public Documents find(String prefix) {
        String end = prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1);
        return range(Map.of("key", base64(prefix), "range_end", base64(end)));
    }

    @Override
    public Documents get(String key) {
        return range(Map.of("key", base64(key)));
    }

    private Documents range(Map<String, Object> request) {
        Answer answer = post("/v3/kv/range", request);
        List<?> pairs = content(answer).get("kvs") instanceof List<?> found ? found : List.of();
        return new Documents(
                answer.now(),
                pairs.stream().map(pair -> document((Map<?, ?>) pair)).toList());
    }

    /** An answer without etcd's header does not mean that there are no keys. */
    private static Map<String, Object> content(Answer answer) {
        Map<String, Object> content = answer.content(JsonParser::parseMap);
        if (!content.containsKey("header")) {
            throw answer.ofProxy("sends no answer of etcd");
        }
        return content;
    }

    private static Document document(Map<?, ?> pair) {
        return new Document(
                HttpDocuments.decoded(pair.get("key")),
                String.valueOf(pair.get("mod_revision")),
                HttpDocuments.decoded(pair.get("value")));
    }

    @Override
    public boolean put(String key, @Nullable String version, String text) {
        String name = base64(key);
        // A key that does not exist has revision 0.
        Map<String, Object> unchanged = Map.of(
                "target", "MOD", "result", "EQUAL", "key", name, "mod_revision", version == null ? "0" : version);
        Map<String, Object> write = Map.of("request_put", Map.of("key", name, "value", base64(text)));
        Answer answer = post("/v3/kv/txn", Map.of("compare", List.of(unchanged), "success", List.of(write)));
        return "true".equals(String.valueOf(content(answer).get("succeeded")));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    Answer post(String path, Map<String, Object> request) {
        boolean isNew = token.get() == null;
        Answer answer = send(path, request);
        if (!isNew && TOKEN_EXPIRED.matcher(answer.body()).find()) {
            token.set(null);
            answer = send(path, request);
        }
        return answer.checked(RULES, prefix);
    }

    private Answer send(String path, Map<String, Object> request) {
        String current = token.get();
        if (current == null && StringUtils.hasText(username)) {
            current = login(username);
            token.set(current);
        }
        return send(path, request, StringUtils.hasText(current) ? Map.of("Authorization", current) : Map.of());
    }

    /** Returns a token; an empty text if etcd does not require logins. */
    private String login(String user) {
        Map<String, Object> login = Map.of("name", user, "password", password.get());
        Answer answer = send("/v3/auth/authenticate", login, Map.of());
        return answer.body().contains("authentication is not enabled")
                ? ""
                : String.valueOf(answer.checked(RULES, prefix)
                        .content(JsonParser::parseMap)
                        .get("token"));
    }

    private Answer send(String path, Map<String, Object> request, Map<String, String> headers) {
        return servers.send(
                begin.getAsLong(),
                "POST",
                path,
                headers,
                JsonWriter.<Map<String, Object>>standard().writeToString(request));
    }
}
