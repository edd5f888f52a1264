package io.github.snowflakeid.kubernetes;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpDocuments;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpServers.Answer;
import io.github.snowflakeid.internal.store.FailureRule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonWriter;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The documents of leases in Kubernetes: one object of the kind {@code Lease} for each worker ID. An annotation contains
 * the document, which alone decides. The other fields describe the lease to people.
 *
 * <p>All reads are consistent, because they name no {@code resourceVersion}. Each replacement has the
 * {@code resourceVersion} and the {@code uid} that were read. Without the {@code uid}, it would create an object anew
 * that was deleted in between.
 *
 * <p>The clock is the one of the API server that answers.
 *
 * @param servers the API server, twice, so that a request is sent once more after a failure of the connection
 * @param token supplies the token; an empty text if there is none
 * @param cluster the namespace of the cluster that keeps the objects
 * @param namespace the namespace of the leases
 * @param begin returns when the call of the registry began, in nanoseconds
 * @param read the answer that {@link #put} replaces
 */
record KubernetesDocuments(
        HttpServers servers,
        Supplier<String> token,
        String cluster,
        String namespace,
        LongSupplier begin,
        AtomicReference<@Nullable Answer> read)
        implements HttpDocuments {

    static final String NAMESPACE = "snowflakeid.github.io/namespace";
    static final String DOCUMENT = "snowflakeid.github.io/document";

    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private static final Pattern VALID_NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern VALID_LABEL = Pattern.compile("[A-Za-z0-9]([\\w.-]{0,61}[A-Za-z0-9])?");

    private static final Pattern DENIED = Pattern.compile(
            "User \"(?!system:anonymous)(?<user>(system:serviceaccount:(?<of>[^:\"]+):)?(?<name>[^\"]+))\" cannot \\w+ resource \"leases\"");

    static final String TOKEN = "\n\n{snowflake}.worker.kubernetes.token-file: /path/of/token";

    private static final List<FailureRule> RULES = List.of(
            new FailureRule(
                    "^401 |User .{1,2}system:anonymous",
                    Problem.LOGIN_REJECTED,
                    "rejects the token, or requires one",
                    "Let Kubernetes mount a token into the pod ('automountServiceAccountToken: true'), or name a file:"
                            + TOKEN),
            new FailureRule(
                    "(?s)^404 .*namespaces",
                    Problem.STORE_UNUSABLE,
                    "has no namespace '%s'",
                    "Create the namespace, or set another one:\n\n{snowflake}.worker.kubernetes.namespace: default"),
            new FailureRule(
                    "^(429|5..) ",
                    Problem.STORE_UNREACHABLE,
                    "is overloaded, or does not reach its etcd",
                    "Calls are repeated. If this does not end, ask the administrators of the cluster."));

    @Override
    public KubernetesDocuments forOneCall() {
        long now = System.nanoTime();
        return new KubernetesDocuments(servers, token, cluster, namespace, () -> now, new AtomicReference<>());
    }

    @Override
    public Documents find(String prefix) {
        Answer answer = ask("GET", "?labelSelector=" + NAMESPACE + "=" + label(), null, "");
        List<?> items = content(answer, "LeaseList").get("items") instanceof List<?> found ? found : List.of();
        // The label does not identify a namespace: the hash of one may be the name of another one.
        return new Documents(
                answer.now(),
                items.stream()
                        .map(KubernetesDocuments::map)
                        .filter(lease -> nameOf(lease).startsWith(names()))
                        .map(lease -> document(prefix + nameOf(lease).substring(names().length()), lease))
                        .toList());
    }

    @Override
    public Documents get(String key) {
        String name = name(key);
        Answer answer = ask("GET", "/" + name, name, "");
        read.set(answer);
        return new Documents(
                answer.now(),
                answer.status() == NOT_FOUND ? List.of() : List.of(document(key, content(answer, "Lease"))));
    }

    private Document document(String key, Map<String, Object> lease) {
        Map<String, Object> metadata = part(lease, "metadata");
        Map<String, Object> annotations = part(metadata, "annotations");
        boolean isOurs = ControlCharacters.escape(namespace).equals(annotations.get(NAMESPACE));
        return new Document(
                key,
                String.valueOf(metadata.get("resourceVersion")),
                isOurs ? String.valueOf(annotations.get(DOCUMENT)) : "");
    }

    @Override
    public boolean put(String key, @Nullable String version, String text) {
        Answer before = Objects.requireNonNull(read.get());
        String name = name(key);
        boolean isNew = version == null;
        Map<String, Object> lease = isNew
                ? new LinkedHashMap<>(Map.of("apiVersion", "coordination.k8s.io/v1", "kind", "Lease"))
                : content(before, "Lease");
        describe(lease, name, text, before.now());
        String body = JsonWriter.<Map<String, Object>>standard().writeToString(lease);
        Answer answer = isNew ? ask("POST", "", name, body) : ask("PUT", "/" + name, name, body);
        return answer.status() != CONFLICT && !content(answer, "Lease").isEmpty();
    }

    /** Changes what belongs to this library, and keeps the rest: labels and annotations of others, uid and version. */
    private void describe(Map<String, Object> lease, String name, String text, Instant now) {
        Map<String, Object> metadata = part(lease, "metadata");
        metadata.put("name", name);
        part(metadata, "labels").put(NAMESPACE, label());
        part(metadata, "annotations").put(NAMESPACE, ControlCharacters.escape(namespace));
        Object before = part(metadata, "annotations").put(DOCUMENT, text);
        Map<String, Object> spec = part(lease, "spec");
        // Format, owner, reserved time, expiry, layout and a text about the owner.
        String[] lines = text.split("\n", 6);
        long seconds = Duration.between(now, Instant.parse(lines[3])).toSeconds();
        // Kubernetes requires six digits of a fraction. An instant has as many if it has microseconds.
        String time = now.plusNanos(1000).toString();
        spec.put("leaseDurationSeconds", Math.max(1, Math.min(Integer.MAX_VALUE, seconds)));
        spec.put("renewTime", time);
        spec.put("holderIdentity", lines[1].isEmpty() ? null : lines[5]);
        if (!String.valueOf(before).contains("\n" + lines[1] + "\n")) {
            spec.put("acquireTime", time);
        }
    }

    @Override
    public RuntimeException foreign(String key) {
        return Problem.FOREIGN_DATA
                .exception(
                        "Lease '%s' in namespace '%s' of Kubernetes is not a lease of a worker ID of namespace '%s'"
                                .formatted(name(key), cluster, ControlCharacters.escape(namespace)),
                        "Keep the leases in another namespace of the cluster:\n\n{snowflake}.worker.kubernetes.namespace: snowflake")
                .unusable();
    }

    // ---- names

    private static String nameOf(Map<String, Object> lease) {
        return String.valueOf(part(lease, "metadata").get("name"));
    }

    private String name(String key) {
        return names() + key.substring(key.lastIndexOf('/') + 1);
    }

    /** Returns the start of all names. A hash contains a dot, a namespace that is part of names does not. */
    private String names() {
        return "snowflake-" + (VALID_NAME.matcher(namespace).matches() ? namespace : hash()) + "-";
    }

    private String label() {
        return VALID_LABEL.matcher(namespace).matches() ? namespace : hash();
    }

    private String hash() {
        return "hash." + UUID.nameUUIDFromBytes(namespace.getBytes(StandardCharsets.UTF_8));
    }

    // ---- requests

    /**
     * Returns the answer to a request that succeeded, or that found this very Lease absent, existing or changed.
     *
     * @param path the name of the Lease after a slash, a query, or an empty text
     */
    private Answer ask(String method, String path, @Nullable String name, String body) {
        Answer answer = send(method, path, body);
        if (answer.status() == UNAUTHORIZED) {
            // The token may have been replaced in between.
            answer = send(method, path, body);
        }
        // An absent namespace, an absent API and the conflicts of a quota have the same statuses.
        if (name != null && answer.status() == (method.equals("GET") ? NOT_FOUND : CONFLICT)) {
            Map<String, Object> details = part(parsed(answer), "details");
            if (name.equals(details.get("name")) && "leases".equals(details.get("kind"))) {
                return answer;
            }
        }
        Matcher denied = DENIED.matcher(answer.body().replace("\\\"", "\""));
        if (denied.find()) {
            throw denied(answer, denied).unusable();
        }
        return answer.checked(RULES, cluster);
    }

    private ConfigurationException denied(Answer answer, Matcher user) {
        String subject = user.group("of") == null
                ? "{kind: User, name: \"%s\", apiGroup: rbac.authorization.k8s.io}".formatted(user.group("name"))
                : "{kind: ServiceAccount, name: %s, namespace: %s}".formatted(user.group("name"), user.group("of"));
        return answer.problem(
                Problem.MISSING_PERMISSION,
                "does not permit '%s' to use leases in namespace '%s'".formatted(user.group("user"), cluster),
                """
                Let an administrator of the cluster apply this:

                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: snowflake, namespace: %1$s}
                rules: [{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, list, create, update]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: snowflake-%3$s, namespace: %1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: snowflake}
                subjects: [%2$s]""".formatted(cluster, subject, user.group("name").replaceAll("[^\\w.-]", "-")));
    }

    private Answer send(String method, String path, String body) {
        String current = token.get();
        Map<String, String> headers =
                new LinkedHashMap<>(Map.of("Content-Type", "application/json", "User-Agent", "snowflake"));
        if (!current.isEmpty()) {
            headers.put("Authorization", "Bearer " + current);
        }
        String leases = "/apis/coordination.k8s.io/v1/namespaces/" + cluster + "/leases";
        return servers.send(begin.getAsLong(), method, leases + path, headers, body);
    }

    private static Map<String, Object> content(Answer answer, String kind) {
        Map<String, Object> content = parsed(answer);
        if (!kind.equals(content.get("kind"))) {
            throw answer.ofProxy("sends no " + kind);
        }
        return content;
    }

    /**
     * Parses an object; returns an empty one if the answer is not from the API server. JSON is YAML, and the parser of
     * Spring Boot that needs no library does not accept the names of fields in {@code managedFields}.
     */
    static Map<String, Object> parsed(Answer answer) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        try {
            return map(new Yaml(new SafeConstructor(options)).load(answer.body()));
        } catch (YAMLException e) {
            return new LinkedHashMap<>();
        }
    }

    /** Returns a part of an object, which is added unless present. */
    private static Map<String, Object> part(Map<String, Object> object, String name) {
        return map(object.compute(name, (key, value) -> map(value)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : new LinkedHashMap<>();
    }
}
