package io.github.snowflakeid.data;

import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.RowMetadata;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Tells how many rows were updated to somebody else as well. A filter of segments would be simpler, but what H2's driver counts does
 * not pass it.
 *
 * @param rowsUpdated takes each number
 */
record CountedResult(Result result, LongConsumer rowsUpdated) implements Result {

    @Override
    public Publisher<Long> getRowsUpdated() {
        return Flux.from(result.getRowsUpdated()).doOnNext(rowsUpdated::accept);
    }

    @Override
    public <T> Publisher<T> map(BiFunction<Row, RowMetadata, ? extends T> mappingFunction) {
        return result.map(mappingFunction);
    }

    @Override
    public <T> Publisher<T> map(Function<? super Readable, ? extends T> mappingFunction) {
        return result.map(mappingFunction);
    }

    @Override
    public Result filter(Predicate<Segment> filter) {
        return result.filter(filter);
    }

    @Override
    public <T> Publisher<T> flatMap(Function<Segment, ? extends Publisher<? extends T>> mappingFunction) {
        return result.flatMap(mappingFunction);
    }
}
