package io.github.snowflakeid.it;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** A shop that sells by eight threads. Prints the ids of rows that are committed. */
class SellingProcess {

    private static final int THREADS = 8;
    private static final int BATCH = 25;

    /** @param args how many rows to insert, then the application's arguments */
    public static void main(String[] args) throws Exception {
        int rows = Integer.parseInt(args[0]);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (ConfigurableApplicationContext context = SpringApplication.run(
                Shop.class, List.of(args).subList(1, args.length).toArray(String[]::new))) {
            JooqPurchases purchases = context.getBean(JooqPurchases.class);
            List<Future<?>> selling = IntStream.range(0, THREADS)
                    .<Future<?>>mapToObj(thread -> threads.submit(() -> sell(rows / THREADS, purchases)))
                    .toList();
            for (Future<?> each : selling) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static void sell(int rows, JooqPurchases purchases) {
        for (int sold = 0; sold < rows; sold += BATCH) {
            List<Long> ids = purchases.insertAll(Collections.nCopies(BATCH, "Ada"));
            System.out.println(
                    ids.stream().map(Object::toString).collect(Collectors.joining(" ", "committed ", " end")));
        }
    }
}
