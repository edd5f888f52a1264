package io.github.snowflakeid.it.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.it.jpa.JpaEntities;
import io.github.snowflakeid.it.jpa.JpaShop;
import jakarta.annotation.PreDestroy;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

class JpaShutdownTests {

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "jdbc"})
    void aRequestInFlightStillGetsIdsDuringAGracefulShutdown(String strategy) throws Exception {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(JpaShop.class, Slow.class)
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
        assertThat(gate.arrived.await(60, TimeUnit.SECONDS)).isTrue();

        context.close();

        HttpResponse<String> answer = response.get(60, TimeUnit.SECONDS);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).matches("\\[\\d+, \\d+, \\d+, \\d+] \\d+");
    }

    /** Everything that a bean saves at the very end of each scenario is in the database, and the worker ID is free again. */
    @ParameterizedTest
    @MethodSource("scenarios")
    void everythingThatIsSavedDuringTheShutdownIsSaved(Class<?> scenario, String strategy, boolean injected)
            throws SQLException {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
        database.setUser("sa");
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.datasource.url=" + database.getURL(),
                "--spring.datasource.username=sa",
                "--spring.jpa.hibernate.ddl-auto=update",
                "--snowflake.worker.id=" + (strategy.equals("fixed") ? "7" : ""),
                "--with-ids=" + injected));
        if (strategy.equals("jdbc, deferred")) {
            arguments.add("--spring.jpa.defer-datasource-initialization=true");
            arguments.add("--spring.sql.init.schema-locations=worker_ids.sql");
            arguments.add("--snowflake.worker.jdbc.initialize-schema=never");
        }
        if (strategy.equals("jdbc, own connection")) {
            arguments.add("--snowflake.worker.jdbc.url=" + database.getURL());
            arguments.add("--snowflake.worker.jdbc.username=sa");
        }
        ConfigurableApplicationContext context = new SpringApplicationBuilder(JpaShop.class, scenario)
                .web(WebApplicationType.NONE)
                .run(arguments.toArray(new String[0]));

        context.close();

        try (Connection connection = database.getConnection()) {
            assertThat(longs(connection, "select count(*) from named")).containsExactly(1L);
            assertThat(longs(connection, "select count(*) from unrelated")).containsExactly(1L);
            assertThat(longs(connection, "select count(*) from long_id")).containsExactly(injected ? 2L : 1L);
            if (!strategy.equals("fixed")) {
                assertThat(longs(connection, "select count(*) from snowflake_worker where owner is null"))
                        .containsExactly(1L);
                assertThat(longs(connection, "select count(*) from snowflake_worker where owner is not null"))
                        .containsExactly(0L);
            }
        }
    }

    static Stream<Arguments> scenarios() {
        return Stream.of(Draining.class, Destroyed.class, Listening.class, Running.class)
                .flatMap(scenario -> Stream.of("fixed", "jdbc", "jdbc, deferred", "jdbc, own connection")
                        .flatMap(strategy ->
                                Stream.of(true, false).map(injected -> Arguments.of(scenario, strategy, injected))));
    }

    private static List<Long> longs(Connection connection, String query) throws SQLException {
        List<Long> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                values.add(rows.getLong(1));
            }
        }
        return values;
    }

    /** Saves entities, and may have the generator injected. */
    static final class Saver {
        private final EntityManagerFactory factory;
        private final IdGenerator ids;

        Saver(EntityManagerFactory factory, ObjectProvider<IdGenerator> ids, Environment environment) {
            this.factory = factory;
            this.ids = environment.getProperty("with-ids", boolean.class) ? ids.getObject() : null;
        }

        void save() {
            JpaShop.save(factory, 1);
            EntityManager entities = factory.createEntityManager();
            entities.getTransaction().begin();
            entities.persist(new JpaEntities.Unrelated());
            if (ids != null) {
                JpaEntities.LongId assigned = new JpaEntities.LongId();
                assigned.id = ids.nextId();
                entities.persist(assigned);
            }
            entities.getTransaction().commit();
            entities.close();
        }
    }

    /** An executor that completes queued tasks. It is created after the factory, and therefore destroyed before it. */
    @Import(Saver.class)
    static class Draining {

        @Bean
        Executor executor() {
            return new Executor();
        }

        @Bean
        ApplicationRunner tasks(Executor executor, Saver saver) {
            return arguments -> {
                executor.execute(() -> {
                    try {
                        executor.shutDown.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                executor.execute(saver::save);
            };
        }

        static final class Executor extends ThreadPoolTaskExecutor {
            private static final long serialVersionUID = 1L;

            private final transient CountDownLatch shutDown = new CountDownLatch(1);

            Executor() {
                setCorePoolSize(1);
                setWaitForTasksToCompleteOnShutdown(true);
                setAwaitTerminationSeconds(30);
            }

            @Override
            public void shutdown() {
                shutDown.countDown();
                super.shutdown();
            }
        }
    }

    @Import(Saver.class)
    static class Destroyed {

        @Bean
        Late late(Saver saver) {
            return new Late(saver);
        }

        static class Late {
            private final Saver saver;

            Late(Saver saver) {
                this.saver = saver;
            }

            @PreDestroy
            void save() {
                saver.save();
            }
        }
    }

    /** Like a container of message listeners. */
    @Import(Saver.class)
    static class Listening {

        @Bean
        SmartLifecycle listener(Saver saver) {
            return new SmartLifecycle() {
                private volatile boolean running;

                @Override
                public void start() {
                    running = true;
                }

                @Override
                public void stop() {
                    running = false;
                    saver.save();
                }

                @Override
                public boolean isRunning() {
                    return running;
                }

                @Override
                public int getPhase() {
                    return Integer.MAX_VALUE - 100;
                }
            };
        }
    }

    /** In phase 0, which is the last phase by default. */
    @Import(Saver.class)
    static class Running {

        @Bean
        Lifecycle lifecycle(Saver saver) {
            return new Lifecycle() {
                private volatile boolean running = true;

                @Override
                public void start() {
                    running = true;
                }

                @Override
                public void stop() {
                    running = false;
                    saver.save();
                }

                @Override
                public boolean isRunning() {
                    return running;
                }
            };
        }
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
                        if (!gate.stopping.await(60, TimeUnit.SECONDS)) {
                            throw new IllegalStateException("The context does not stop");
                        }
                        return ServerResponse.ok().body(JpaShop.save(factory, 2) + " " + ids.nextId());
                    })
                    .build();
        }

        /** Stopped in the last phase before the web server waits for its requests. */
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
