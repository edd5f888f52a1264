package io.github.snowflakeid.it;

import jakarta.persistence.EntityManagerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.devtools.restart.Restarter;
import org.springframework.context.ConfigurableApplicationContext;

/** What happens when a developer changes a class: DevTools starts the application again, in a new class loader. */
class RestartedShop {

    public static void main(String[] args) {
        ConfigurableApplicationContext context = SpringApplication.run(Shop.class, args);
        System.out.println("class loader "
                + RestartedShop.class.getClassLoader().getClass().getSimpleName());
        System.out.println("ids " + Shop.save(context.getBean(EntityManagerFactory.class), 3));
        if (System.getProperty("restarted") == null) {
            System.setProperty("restarted", "true");
            Restarter.getInstance().restart();
        } else {
            System.exit(0);
        }
    }
}
