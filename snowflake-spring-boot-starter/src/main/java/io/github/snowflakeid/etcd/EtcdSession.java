package io.github.snowflakeid.etcd;

import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpServers.Answer;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.json.JsonWriter;
import org.springframework.util.StringUtils;

/** Sends requests to the JSON gateway of etcd, and logs in if there is a user name. Safe for use by any number of threads. */
final class EtcdSession {

    private static final int OK = 200;

    /** A token expires, and a member that was restarted or a change of permissions makes it invalid. There is none before logins are required. */
    private static final Pattern TOKEN_EXPIRED =
            Pattern.compile("invalid auth token|revision of auth store is old|user name is empty");

    private final HttpServers servers;
    private final @Nullable String username;
    private final @Nullable String password;
    private final EtcdExceptionTranslator translator;
    private volatile @Nullable String token;

    EtcdSession(HttpServers servers, @Nullable String username, @Nullable String password, String prefix) {
        this.servers = servers;
        this.username = username;
        this.password = password;
        translator = new EtcdExceptionTranslator(prefix);
    }

    /**
     * An answer of etcd.
     *
     * @param answer the answer of the member
     * @param content its content
     */
    record Result(Answer answer, Map<String, Object> content) {}

    Result post(HttpServers.Call call, String path, Map<String, Object> request) {
        boolean isNew = token == null;
        Answer answer = send(call, path, request);
        if (!isNew && TOKEN_EXPIRED.matcher(answer.body()).find()) {
            token = null;
            answer = send(call, path, request);
        }
        return checked(answer);
    }

    private Answer send(HttpServers.Call call, String path, Map<String, Object> request) {
        String current = token;
        if (current == null && StringUtils.hasText(username)) {
            current = login(call);
            token = current;
        }
        Map<String, String> headers =
                current == null || current.isEmpty() ? Map.of() : Map.of("Authorization", current);
        return call.send("POST", path, headers, json(request));
    }

    /** Returns a token; an empty text if etcd does not require logins. */
    private String login(HttpServers.Call call) {
        Map<String, Object> user =
                Map.of("name", String.valueOf(username), "password", password == null ? "" : password);
        Answer answer = call.send("POST", "/v3/auth/authenticate", Map.of(), json(user));
        return answer.body().contains("authentication is not enabled")
                ? ""
                : String.valueOf(checked(answer).content().get("token"));
    }

    private Result checked(Answer answer) {
        if (answer.status() != OK) {
            throw translator.translate(answer);
        }
        return new Result(answer, JsonParserFactory.getJsonParser().parseMap(answer.body()));
    }

    private static String json(Map<String, Object> content) {
        return JsonWriter.<Map<String, Object>>standard().writeToString(content);
    }

    HttpServers servers() {
        return servers;
    }

    EtcdExceptionTranslator translator() {
        return translator;
    }
}
