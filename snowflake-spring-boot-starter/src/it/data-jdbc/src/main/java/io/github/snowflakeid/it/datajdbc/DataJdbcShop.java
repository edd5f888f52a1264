package io.github.snowflakeid.it.datajdbc;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

@SpringBootApplication
public class DataJdbcShop {

    /** Saves and finds vouchers, then saves as many tickets as the property {@code tickets} says, with eight threads, and prints the ID of each saved ticket. */
    public static void main(String[] args) throws InterruptedException {
        try (ConfigurableApplicationContext context = SpringApplication.run(DataJdbcShop.class, args)) {
            System.out.println("vouchers " + saveAndFind(context.getBean(DataJdbcVoucherRepository.class)));
            DataJdbcTicketRepository tickets = context.getBean(DataJdbcTicketRepository.class);
            int each = context.getEnvironment().getProperty("tickets", Integer.class, 0) / 8;
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Thread thread = new Thread(() -> {
                    for (int saved = 0; saved < each; saved++) {
                        System.out.println("saved "
                                + tickets.save(new DataJdbcTicket(null, "seat")).id());
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private static int saveAndFind(DataJdbcVoucherRepository vouchers) {
        DataJdbcVoucher first = vouchers.save(new DataJdbcVoucher(null, null));
        DataJdbcVoucher second = vouchers.save(new DataJdbcVoucher(null, first.id()));
        return vouchers.findByReplaces(first.id()).size()
                + vouchers.findByIdIn(List.of(first.id(), second.id())).size()
                + vouchers.read(second.id()).size();
    }
}
