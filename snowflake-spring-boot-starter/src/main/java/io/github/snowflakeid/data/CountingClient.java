package io.github.snowflakeid.data;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.ExecuteFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counts the rows that the update of an entity changes: {@code R2dbcEntityTemplate} tells nobody. Leaves all other statements alone. */
final class CountingClient implements DatabaseClient {

    private final DatabaseClient client;

    CountingClient(DatabaseClient client) {
        this.client = client;
    }

    @Override
    public GenericExecuteSpec sql(String sql) {
        return client.sql(sql).filter(CountingClient::execute);
    }

    @Override
    public GenericExecuteSpec sql(Supplier<String> sqlSupplier) {
        return client.sql(sqlSupplier).filter(CountingClient::execute);
    }

    private static Publisher<? extends Result> execute(Statement statement, ExecuteFunction next) {
        return Flux.deferContextual(context -> {
            Flux<Result> results = Flux.from(next.execute(statement));
            return context.<UpdatedRows>getOrEmpty(UpdatedRows.class)
                    .map(rows -> rows.count(results))
                    .orElse(results);
        });
    }

    @Override
    public ConnectionFactory getConnectionFactory() {
        return client.getConnectionFactory();
    }

    @Override
    public <T> Mono<T> inConnection(Function<Connection, Mono<T>> action) {
        return client.inConnection(action);
    }

    @Override
    public <T> Flux<T> inConnectionMany(Function<Connection, Flux<T>> action) {
        return client.inConnectionMany(action);
    }
}
