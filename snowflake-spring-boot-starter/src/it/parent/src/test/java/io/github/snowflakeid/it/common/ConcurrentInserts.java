package io.github.snowflakeid.it.common;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs an application whose eight threads insert rows, and prints the IDs of committed rows. */
public final class ConcurrentInserts {

    private static final int THREADS = 8;
    static final int BATCH = 25;

    private ConcurrentInserts() {}

    /**
     * Starts the application, inserts all rows and stops the application.
     *
     * @param args the number of rows, followed by the application's arguments
     * @param saving creates the function that inserts a given number of rows in one transaction and returns their IDs
     */
    public static void save(
            Class<?> application, String[] args, Function<ApplicationContext, IntFunction<List<Long>>> saving)
            throws Exception {
        int each = Integer.parseInt(args[0]) / THREADS;
        String[] arguments = List.of(args).subList(1, args.length).toArray(String[]::new);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (ConfigurableApplicationContext context = SpringApplication.run(application, arguments)) {
            IntFunction<List<Long>> save = saving.apply(context);
            List<Future<?>> working = IntStream.range(0, THREADS)
                    .<Future<?>>mapToObj(thread -> threads.submit(() -> save(each, save)))
                    .collect(Collectors.toList());
            for (Future<?> thread : working) {
                thread.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static void save(int rows, IntFunction<List<Long>> save) {
        for (int saved = 0; saved < rows; saved += BATCH) {
            System.out.println(save.apply(BATCH).stream()
                    .map(Object::toString)
                    .collect(Collectors.joining(" ", "committed ", " end")));
        }
    }
}
