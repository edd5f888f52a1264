package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import jakarta.persistence.EntityManagerFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

class ShutdownTests {

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "jdbc"})
    void aRequestInFlightStillGetsIdsDuringAGracefulShutdown(String strategy) throws Exception {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Shop.class, Slow.class)
                .run(
                        "--server.port=0",
                        "--server.shutdown=graceful",
                        "--snowflake.worker.id=" + (strategy.equals("fixed") ? "7" : ""),
                        "--snowflake.worker.strategy=" + strategy);
        Slow.Gate gate = context.getBean(Slow.Gate.class);
        URI uri = URI.create(
                "http://localhost:%s/slow".formatted(context.getEnvironment().getProperty("local.server.port")));
        CompletableFuture<HttpResponse<String>> response = HttpClient.newHttpClient()
                .sendAsync(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(gate.arrived.await(30, TimeUnit.SECONDS)).isTrue();

        context.close();

        HttpResponse<String> answer = response.get(30, TimeUnit.SECONDS);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).matches("\\[\\d+, \\d+, \\d+, \\d+] \\d+");
    }

    static class Slow {

        @Bean
        Gate gate() {
            return new Gate();
        }

        @Bean
        RouterFunction<ServerResponse> slow(Gate gate, EntityManagerFactory factory, IdGenerator ids) {
            return RouterFunctions.route()
                    .GET("/slow", request -> {
                        gate.arrived.countDown();
                        if (!gate.stopping.await(30, TimeUnit.SECONDS)) {
                            throw new IllegalStateException("The context does not stop");
                        }
                        return ServerResponse.ok().body(Shop.save(factory, 2) + " " + ids.nextId());
                    })
                    .build();
        }

        /** Stopped in the last phase before the web server is told to wait for its requests. */
        static class Gate implements SmartLifecycle {
            private final CountDownLatch arrived = new CountDownLatch(1);
            private final CountDownLatch stopping = new CountDownLatch(1);
            private volatile boolean running;

            @Override
            public void start() {
                running = true;
            }

            @Override
            public void stop() {
                running = false;
                stopping.countDown();
            }

            @Override
            public boolean isRunning() {
                return running;
            }

            @Override
            public int getPhase() {
                return Integer.MAX_VALUE;
            }
        }
    }
}
