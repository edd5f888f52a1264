package io.github.snowflakeid.it.jpa;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.segment.SegmentIdGenerator;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with every kind of entity that can have IDs. */
@SpringBootApplication
public class JpaShop {

    /** Starts, saves entities, prints their IDs and exits. */
    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = SpringApplication.run(JpaShop.class, args)) {
            System.out.println("ids " + save(context.getBean(EntityManagerFactory.class), 3));
            System.out.println("vouchers " + saveAndFind(context.getBean(VoucherRepository.class)));
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

    private static int saveAndFind(VoucherRepository vouchers) {
        JpaEntities.Voucher first = vouchers.save(new JpaEntities.Voucher());
        JpaEntities.Voucher second = new JpaEntities.Voucher();
        second.replaces = first.id;
        second = vouchers.save(second);
        return vouchers.findByReplaces(first.id).size()
                + vouchers.findByIdIn(List.of(first.id, second.id)).size()
                + vouchers.findById(second.id).stream().toList().size();
    }

    public static List<Long> save(EntityManagerFactory factory, int times) {
        List<Long> ids = new ArrayList<>();
        EntityManager entities = factory.createEntityManager();
        entities.getTransaction().begin();
        for (int i = 0; i < times; i++) {
            JpaEntities.LongId annotated = new JpaEntities.LongId();
            entities.persist(annotated);
            ids.add(annotated.id);
            JpaEntities.Named named = new JpaEntities.Named();
            entities.persist(named);
            ids.add(named.id);
        }
        entities.getTransaction().commit();
        entities.close();
        return ids;
    }
}
