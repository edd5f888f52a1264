package io.github.snowflakeid.kubernetes;

import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.failure.Causes;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.http.HttpServers;
import io.github.snowflakeid.internal.http.HttpSettings;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.store.ConditionalOnStore;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.WorkerRegistryFactory;
import io.github.snowflakeid.worker.DocumentRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Configures leases in Kubernetes if {@code snowflake.worker.strategy} is {@code kubernetes}. They use the API server
 * without a client library.
 *
 * @since 1.0
 */
@AutoConfiguration(before = SnowflakeAutoConfiguration.class)
@ConditionalOnStore("kubernetes")
@PropertyGroup(KubernetesProperties.class)
public final class SnowflakeKubernetesAutoConfiguration {

    /** The volume that Kubernetes mounts into each pod. */
    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    SnowflakeKubernetesAutoConfiguration() {}

    @Bean("snowflake.store.kubernetes")
    WorkerRegistryFactory snowflakeKubernetesStore(ObjectProvider<SslBundles> bundles, Environment environment) {
        return settings -> registry(settings, bundles, environment, ACCOUNT);
    }

    static DocumentRegistry registry(
            LeaseSettings settings, ObjectProvider<SslBundles> bundles, Environment environment, Path account) {
        KubernetesProperties properties = settings.store().properties(KubernetesProperties.class);
        boolean isInPod = !StringUtils.hasText(properties.url());
        String url = isInPod ? urlInPod(environment) : String.valueOf(properties.url());
        HttpServers servers = isInPod && !StringUtils.hasText(properties.sslBundle())
                ? serversInPod(URI.create(url), account.resolve("ca.crt"), settings)
                : new HttpSettings(
                                "Kubernetes", "{snowflake}.worker.kubernetes", "url", "http://localhost:8001", bundles)
                        // A failed connection is replaced: the request is sent once more.
                        .open(List.of(url, url), properties.sslBundle(), settings);
        String token = properties.token();
        Path file = StringUtils.hasText(properties.tokenFile())
                ? Path.of(properties.tokenFile())
                : isInPod ? account.resolve("token") : null;
        KubernetesDocuments documents = new KubernetesDocuments(
                servers,
                () -> StringUtils.hasText(token) ? token.strip() : file == null ? "" : read(file),
                namespace(properties.namespace(), account.resolve("namespace"), isInPod),
                settings.namespace(),
                System::nanoTime,
                new AtomicReference<>());
        return new DocumentRegistry(documents, "snowflake/", settings.namespace());
    }

    private static HttpServers serversInPod(URI url, Path certificate, LeaseSettings settings) {
        PemSslStoreDetails ca = PemSslStoreDetails.forCertificate("file:" + certificate);
        return new HttpServers(
                "Kubernetes",
                List.of(url, url),
                () -> SslBundle.of(new PemSslStoreBundle((PemSslStoreDetails) null, ca)),
                settings.longestAnswer(),
                "Let this pod connect to the API server: check network policies and the proxy of a service mesh.");
    }

    private static String urlInPod(Environment environment) {
        String host = environment.getProperty("KUBERNETES_SERVICE_HOST", "");
        if (host.isEmpty()) {
            throw Problem.MISSING_STORE.exception(
                    "Property '{snowflake}.worker.strategy' is 'kubernetes', but this process is in no pod: KUBERNETES_SERVICE_HOST is not set.",
                    """
                    Outside of a pod, execute 'kubectl proxy', and set:

                    {snowflake}.worker.kubernetes.url: http://localhost:8001
                    {snowflake}.worker.kubernetes.namespace: default""");
        }
        String port = environment.getProperty("KUBERNETES_SERVICE_PORT", "443");
        return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    private static String namespace(@Nullable String set, Path file, boolean isInPod) {
        String namespace = StringUtils.hasText(set) ? set : isInPod || Files.exists(file) ? read(file) : "";
        if (!namespace.matches("[a-z0-9-]{1,63}")) {
            String rule = "namespace must have lower-case letters, digits and hyphens, but was '" + namespace + "'";
            throw Problem.invalid(
                    new IllegalArgumentException(rule), "{snowflake}.worker.kubernetes.namespace", "default");
        }
        return namespace;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw Problem.LOGIN_REJECTED.exception(
                    "The service account is not known: file '%s' cannot be read (%s)"
                            .formatted(file, Causes.message(e)),
                    "Set 'automountServiceAccountToken: true' in the pod, or name another file:"
                            + KubernetesDocuments.TOKEN,
                    e);
        }
    }
}
