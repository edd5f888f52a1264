package io.github.snowflakeid.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.WorkerRegistry;
import io.github.snowflakeid.internal.store.LeaseSettings;
import io.github.snowflakeid.internal.store.StoreSettings;
import io.github.snowflakeid.servers.TestCertificates;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.mock.env.MockEnvironment;

class SpringCloudConsulTests {

    private final MockEnvironment environment = new MockEnvironment();
    private final SpringCloudConsul consul = new SpringCloudConsul(environment);

    @Test
    void hasTheDefaultsOfSpringCloudConsul() {
        assertThat(consul.isPresent()).isTrue();
        assertThat(consul.url()).isEqualTo("http://localhost:8500");
        assertThat(consul.token()).isEmpty();
        assertThat(consul.tls()).isNull();
    }

    @Test
    void leasesUseAllSettingsOrNone() {
        environment.setProperty("spring.cloud.consul.host", "127.0.0.1");
        environment.setProperty("spring.cloud.consul.port", "1");
        environment.setProperty("spring.cloud.consul.scheme", "https");
        environment.setProperty("spring.cloud.consul.path", "/consul/");

        assertThat(failure(null, null)).startsWith("Consul did not answer (https://127.0.0.1:1/consul: ");
        assertThat(failure("http://127.0.0.1:2/", null)).startsWith("Consul did not answer (http://127.0.0.1:2: ");
        assertThat(failure("http://127.0.0.1:2", "mine")).startsWith("Consul did not answer (http://127.0.0.1:2: ");
    }

    /** Returns what the registry reports for properties of leases. */
    private String failure(@Nullable String url, @Nullable String token) {
        return catchThrowable(registry(url, token)::read).getMessage();
    }

    private WorkerRegistry registry(@Nullable String url, @Nullable String token) {
        StoreSettings store = new StoreSettings() {
            @Override
            public <T> T properties(Class<T> type) {
                return type.cast(new ConsulProperties(url, token, "snowflake/", null, null));
            }

            @Override
            public <T> T ownProperties(Class<T> type) {
                return properties(type);
            }

            @Override
            public void endBefore(Object bean, Class<?> type) {}
        };
        Duration limit = Duration.ofSeconds(60);
        LeaseSettings settings =
                new LeaseSettings(store, "default", IdLayout.DEFAULT, OptionalInt.empty(), limit, limit, "");
        ObjectProvider<SslBundles> none = new StaticListableBeanFactory().getBeanProvider(SslBundles.class);
        return SnowflakeConsulAutoConfiguration.registry(settings, none, consul);
    }

    @Test
    void rotatedTokensAreUsedFromTheNextCallOn(@TempDir Path directory) throws Exception {
        List<String> tokens = new CopyOnWriteArrayList<>();
        HttpServer agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        agent.createContext("/", exchange -> {
            tokens.add(exchange.getRequestHeaders().getFirst("X-Consul-Token"));
            exchange.sendResponseHeaders(403, -1);
            exchange.close();
        });
        agent.start();
        try {
            int port = agent.getAddress().getPort();
            Path file = Files.writeString(directory.resolve("token"), "first\n");
            WorkerRegistry ofFile = registry("http://127.0.0.1:" + port, "file:" + file);
            assertThatThrownBy(ofFile::read);
            Files.writeString(file, "second\n");
            assertThatThrownBy(ofFile::read);
            Files.delete(file);
            assertThatThrownBy(ofFile::read)
                    .hasMessage("Property 'snowflake.worker.consul.token' names a file that cannot be read: "
                            + "java.nio.file.NoSuchFileException: " + file);

            environment.setProperty("spring.cloud.consul.host", "127.0.0.1");
            environment.setProperty("spring.cloud.consul.port", String.valueOf(port));
            WorkerRegistry ofSpringCloud = registry(null, null);
            for (String token : List.of("third", "fourth")) {
                environment.setProperty("spring.cloud.consul.token", token);
                assertThatThrownBy(ofSpringCloud::read);
            }
        } finally {
            agent.stop(0);
        }
        assertThat(tokens).containsExactly("first", "second", "third", "fourth");
    }

    @Test
    void readsTheToken() {
        environment.setProperty("spring.cloud.consul.token", "a");
        assertThat(consul.token()).isEqualTo("a");

        environment.setProperty("consul.token", "b");
        assertThat(consul.token()).isEqualTo("b");
    }

    @Test
    void readsTheCertificateOfTheClientAndTheTrustStore(@TempDir Path directory) throws Exception {
        Path keys = TestCertificates.store(directory.resolve("client.p12"), "PKCS12", "first1");
        Path trusted = TestCertificates.store(directory.resolve("trust.jks"), "JKS", "second");
        environment.setProperty("spring.cloud.consul.tls.key-store-instance-type", "PKCS12");
        environment.setProperty("spring.cloud.consul.tls.certificate-path", keys.toString());
        environment.setProperty("spring.cloud.consul.tls.certificate-password", "first1");
        environment.setProperty("spring.cloud.consul.tls.key-store-path", trusted.toString());
        environment.setProperty("spring.cloud.consul.tls.key-store-password", "second");

        SslBundle bundle = consul.tls();

        assertThat(bundle.getStores().getKeyStore().size()).isEqualTo(1);
        assertThat(bundle.getStores().getTrustStore().size()).isEqualTo(1);
        assertThat(bundle.createSslContext()).isNotNull();
    }
}
