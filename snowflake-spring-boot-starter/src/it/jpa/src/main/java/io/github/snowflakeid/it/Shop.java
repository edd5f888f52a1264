package io.github.snowflakeid.it;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with entities of every kind that can have ids. */
@SpringBootApplication
public class Shop {

    /** Starts, saves entities, prints their ids, ends. */
    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = SpringApplication.run(Shop.class, args)) {
            System.out.println("ids " + save(context.getBean(EntityManagerFactory.class), 3));
            for (SnowflakeIdGenerator each :
                    context.getBeansOfType(SnowflakeIdGenerator.class).values()) {
                System.out.println(
                        "generator '" + each.name() + "' " + each.workerId().origin() + " " + each.nextId());
            }
            for (SegmentIdGenerator each :
                    context.getBeansOfType(SegmentIdGenerator.class).values()) {
                System.out.println("counter '" + each.name() + "' " + each.nextId());
            }
        }
    }

    static List<Long> save(EntityManagerFactory factory, int times) {
        List<Long> ids = new ArrayList<>();
        EntityManager entities = factory.createEntityManager();
        entities.getTransaction().begin();
        for (int i = 0; i < times; i++) {
            Entities.LongId annotated = new Entities.LongId();
            entities.persist(annotated);
            ids.add(annotated.id);
            Entities.Named named = new Entities.Named();
            entities.persist(named);
            ids.add(named.id);
        }
        entities.getTransaction().commit();
        entities.close();
        return ids;
    }
}
