package io.github.snowflakeid.it.jpa;

import jakarta.persistence.EntityManagerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.devtools.restart.Restarter;
import org.springframework.context.ConfigurableApplicationContext;

/** Restarts itself in a new class loader, as DevTools does when a developer changes a class. */
class DevToolsShop {

    public static void main(String[] args) {
        ConfigurableApplicationContext context = SpringApplication.run(JpaShop.class, args);
        System.out.println(
                "class loader " + DevToolsShop.class.getClassLoader().getClass().getSimpleName());
        System.out.println("ids " + JpaShop.save(context.getBean(EntityManagerFactory.class), 3));
        if (System.getProperty("restarted") == null) {
            System.setProperty("restarted", "true");
            Restarter.getInstance().restart();
        } else {
            System.exit(0);
        }
    }
}
