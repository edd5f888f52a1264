package io.github.snowflakeid.internal.http;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.internal.DaemonThreads;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.store.FailureRule;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParser;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.util.ReflectionUtils;

/**
 * The servers of a store. A request goes to the address that answered last. If that address does not answer, or answers
 * that it cannot serve requests, the request goes to the next address of the server, then to the next server. A write
 * may therefore be sent twice.
 *
 * <p>Safe for use by any number of threads.
 */
public final class HttpServers {

    /**
     * The header {@code Date} has whole seconds, rounded down: with half a second more, it is off by at most half a
     * second.
     */
    private static final Duration ROUNDED_DOWN = Duration.ofMillis(500);

    private static final Pattern IP_ADDRESS = Pattern.compile(":|^[0-9.]+$");

    private static final String TRUST =
            "This process must trust the certificate of the server, for example by an SSL bundle, and the certificate must be valid for the host in the URL. ";

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    private final String store;
    private final List<URI> servers;
    private final Supplier<@Nullable SslBundle> tls;
    private final Duration limit;
    private final String action;

    private final Resolver resolver;

    /** The target that answered last. */
    private volatile Target preferred;

    /** The clients, by the names of the servers, which certificates have. */
    private final Map<String, HttpClient> clients = new HashMap<>();

    /**
     * Creates the servers of a store. Does not connect yet.
     *
     * @param store the name of the store in messages
     * @param servers the URLs of the servers, without a slash at the end
     * @param tls supplies the settings for servers with {@code https}; null stands for the trust store of the JVM. It
     *     is called again after {@link #close}
     * @param limit the longest duration of a call, which all of its requests and all servers share
     * @param action the solution if no server answers
     */
    public HttpServers(
            String store, List<URI> servers, Supplier<@Nullable SslBundle> tls, Duration limit, String action) {
        this(store, servers, tls, limit, action, InetAddress::getAllByName);
    }

    HttpServers(
            String store,
            List<URI> servers,
            Supplier<@Nullable SslBundle> tls,
            Duration limit,
            String action,
            Resolver resolver) {
        this.store = store;
        this.servers = List.copyOf(servers);
        this.tls = tls;
        this.limit = limit;
        this.action = action;
        this.resolver = resolver;
        preferred = new Target(servers.get(0), servers.get(0));
    }

    /** Returns all addresses of a host. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /** A server, and the URL of one of its addresses. */
    private record Target(URI server, URI url) {}

    /**
     * An answer of a server.
     *
     * @param store the name of the store in messages
     * @param server the server
     * @param status the status
     * @param headers the headers
     * @param body the body
     */
    public record Answer(String store, URI server, int status, HttpHeaders headers, String body) {

        /**
         * Returns the clock of the server that answered.
         *
         * @return the time, off by at most half a second
         * @throws ConfigurationException if a proxy has removed the time
         */
        public Instant now() {
            return headers.firstValue("Date")
                    .map(date -> DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from))
                    .orElseThrow(() -> ofProxy("sends no header 'Date', which leases need as their clock"))
                    .plus(ROUNDED_DOWN);
        }

        /**
         * Parses the body.
         *
         * @param <T> the type of the content
         * @param parser parses JSON
         * @return the content
         * @throws ConfigurationException if the body is not JSON, for example because a proxy answered
         */
        public <T> T content(BiFunction<JsonParser, String, T> parser) {
            try {
                return parser.apply(JsonParserFactory.getJsonParser(), body);
            } catch (JsonParseException e) {
                throw ofProxy("sends no JSON");
            }
        }

        /**
         * Returns the exception for an answer that a proxy has changed or sent itself.
         *
         * @param what what the server does, such as {@code sends no JSON}
         * @return the exception
         */
        public ConfigurationException ofProxy(String what) {
            return problem(
                    Problem.STORE_REJECTED_CALL,
                    what,
                    "Connect without the proxy that changes answers or answers itself.");
        }

        /**
         * Returns this answer if it reports no failure.
         *
         * @param rules the known failures; their words are searched in status and body
         * @param prefix the start of all keys of leases, for the texts of the rules
         * @return this answer
         * @throws io.github.snowflakeid.SnowflakeException if it reports a failure
         */
        public Answer checked(List<FailureRule> rules, String prefix) {
            if (isSuccessful()) {
                return this;
            }
            FailureRule rule = FailureRule.find(rules, status + " " + body);
            if (rule != null) {
                throw failure(rule, prefix);
            }
            throw !isUnable()
                    ? problem(Problem.STORE_REJECTED_CALL, "rejected the call", null)
                    : problem(
                            Problem.STORE_UNREACHABLE,
                            "has no leader, or is too slow",
                            "Start the servers: more than half of them must be able to reach each other.");
        }

        private boolean isSuccessful() {
            return status == OK || status == CREATED;
        }

        /** Returns whether another server may serve the request: this one is overloaded, or a learner of etcd. */
        private boolean isUnable() {
            return status >= SERVER_ERROR || status == TOO_MANY_REQUESTS || body.contains("not supported for learner");
        }

        /**
         * Returns the exception for an answer that reports a known failure.
         *
         * @param rule the failure
         * @param prefix the start of all keys of leases, for the texts of the rule
         * @return the exception
         */
        public RuntimeException failure(FailureRule rule, String prefix) {
            ConfigurationException failure = problem(
                    rule.problem(), rule.what().formatted(prefix), rule.action().formatted(prefix));
            return rule.isPermanent() ? failure.unusable() : failure;
        }

        /**
         * Returns the exception for this answer.
         *
         * @param problem the problem
         * @param what what the server does, such as {@code rejects the login}
         * @param action the solution; null if none is known
         * @return the exception, whose message contains status and body
         */
        public ConfigurationException problem(Problem problem, String what, @Nullable String action) {
            return problem.exception(
                    "%s at %s %s (status %s, %.300s)"
                            .formatted(store, server, what, status, ControlCharacters.escape(body.strip())),
                    action,
                    null);
        }
    }

    String store() {
        return store;
    }

    /**
     * Sends a request to one server after the other, until one answers. A server that is in the list twice gets the
     * request once more if its connection failed, and not if it answered that it cannot serve the request.
     *
     * @param begin when the call began that the request belongs to, as {@link System#nanoTime()} returns it
     * @param method the method
     * @param path the path and the query
     * @param headers the headers
     * @param body the body; empty if there is none
     * @return the answer; an answer with status 500 or higher only if no server has a better one
     * @throws ConfigurationException if no server answers in time
     */
    public Answer send(long begin, String method, String path, Map<String, String> headers, String body) {
        long end = begin + limit.toNanos();
        Map<URI, String> failures = new LinkedHashMap<>();
        Set<URI> overloaded = new HashSet<>();
        Answer error = null;
        String advice = action;
        Target first = preferred;
        for (int i = 0; i < servers.size(); i++) {
            URI server = servers.get((servers.indexOf(first.server) + i) % servers.size());
            long now = System.nanoTime();
            long until = now + (end - now) / (servers.size() - i);
            List<URI> urls = urls(server, until);
            Collections.rotate(urls, -Math.max(0, urls.indexOf(first.url)));
            for (int j = 0; j < urls.size(); j++) {
                URI url = urls.get(j);
                if (overloaded.contains(url)) {
                    continue;
                }
                HttpRequest.Builder request =
                        HttpRequest.newBuilder(URI.create(url + path)).method(method, BodyPublishers.ofString(body));
                try {
                    headers.forEach(request::setHeader);
                } catch (IllegalArgumentException e) {
                    // Its message contains the token.
                    throw Problem.LOGIN_REJECTED.exception(
                            "The token for " + store + " contains a line break or another character that no token has",
                            "Correct the token, or the file that contains it.",
                            null);
                }
                try {
                    HttpResponse<String> response = answer(
                            client(server.getHost()).sendAsync(request.build(), BodyHandlers.ofString()),
                            (until - System.nanoTime()) / (urls.size() - j));
                    Answer answer =
                            new Answer(store, server, response.statusCode(), response.headers(), response.body());
                    if (!answer.isUnable()) {
                        // A proxy may reject all requests that are sent to its address instead of its name.
                        preferred = new Target(server, answer.isSuccessful() ? url : server);
                        return answer;
                    }
                    error = answer;
                    // It does not get the request a second time.
                    overloaded.add(url);
                } catch (TimeoutException e) {
                    long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
                    failures.putIfAbsent(server, "%s: no answer after %s ms".formatted(server, passed));
                } catch (IOException e) {
                    if (Causes.of(e).stream().anyMatch(SSLException.class::isInstance)) {
                        // Certificates may have been replaced: the next request reads them again.
                        close();
                        advice = TRUST + action;
                    }
                    failures.putIfAbsent(server, server + ": " + ControlCharacters.escape(Causes.message(e)));
                }
            }
        }
        if (error != null) {
            return error;
        }
        throw Problem.STORE_UNREACHABLE.exception(
                "%s did not answer (%s)".formatted(store, String.join("; ", failures.values())), advice, null);
    }

    /**
     * Returns the URL of a server, and the URLs of its further addresses. The client connects only to the first address
     * of a name, but a service may have an address for each server.
     */
    private List<URI> urls(URI server, long until) {
        List<URI> urls = new ArrayList<>(List.of(server));
        String host = server.getHost();
        if (IP_ADDRESS.matcher(host).find()) {
            return urls;
        }
        CompletableFuture<InetAddress[]> addresses = new CompletableFuture<>();
        // A lookup may hang, and cannot be interrupted.
        DaemonThreads.start(
                "snowflake-http",
                () -> {
                    try {
                        addresses.complete(resolver.addresses(host));
                    } catch (UnknownHostException | RuntimeException e) {
                        addresses.completeExceptionally(e);
                    }
                },
                null);
        try {
            Stream.of(answer(addresses, until - System.nanoTime()))
                    .skip(1)
                    .forEach(address -> urls.add(at(address, server)));
        } catch (IOException | TimeoutException e) {
            // The request fails for the same reason.
        }
        return urls;
    }

    private static URI at(InetAddress address, URI server) {
        String text = address.getHostAddress().replace("%", "%25");
        String host = address instanceof Inet6Address ? "[" + text + "]" : text;
        int port = server.getPort();
        return URI.create(server.getScheme() + "://" + host + (port < 0 ? "" : ":" + port) + server.getRawPath());
    }

    /** Waits for the whole answer. The timeout of a request would end with the headers. */
    private static <T> T answer(CompletableFuture<T> answer, long nanos) throws IOException, TimeoutException {
        try {
            return answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            answer.cancel(true);
        }
    }

    private synchronized HttpClient client(String host) {
        return clients.computeIfAbsent(host, this::open);
    }

    /**
     * Opens a client. Its threads must neither outlive it nor keep the class loader of an application in memory, so it
     * does not use its usual pool, and the thread that it starts inherits no class loader.
     */
    private HttpClient open(String host) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(task -> DaemonThreads.start("snowflake-http", task, null));
        SslBundle bundle = tls.get();
        SSLParameters parameters = new SSLParameters();
        if (bundle != null) {
            SslOptions options = bundle.getOptions();
            parameters = new SSLParameters(options.getCiphers(), options.getEnabledProtocols());
            builder.sslContext(bundle.createSslContext());
        }
        if (!IP_ADDRESS.matcher(host).find()) {
            // Certificates are verified for the name, also if the request goes to another address of it.
            parameters.setServerNames(List.of(new SNIHostName(host)));
        }
        builder.sslParameters(parameters);
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        thread.setContextClassLoader(null);
        try {
            return builder.build();
        } finally {
            thread.setContextClassLoader(loader);
        }
    }

    /**
     * Closes the connections. The next request opens new ones. Before Java 21, a client ends when it is garbage
     * collected.
     */
    public synchronized void close() {
        Method shutdown = ReflectionUtils.findMethod(HttpClient.class, "shutdownNow");
        if (shutdown != null) {
            clients.values().forEach(client -> ReflectionUtils.invokeMethod(shutdown, client));
        }
        clients.clear();
    }
}
