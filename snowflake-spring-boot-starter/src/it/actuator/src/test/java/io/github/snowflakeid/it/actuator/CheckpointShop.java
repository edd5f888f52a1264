package io.github.snowflakeid.it.actuator;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.it.actuator.crac.Core;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;

/** Prints whether worker IDs are leased while a checkpoint is taken, and after the application has started. */
final class CheckpointShop {

    static final String DATABASE = "jdbc:h2:mem:checkpoint;DB_CLOSE_DELAY=-1";

    private CheckpointShop() {}

    public static void main(String[] args) {
        Core.image(() -> System.out.println("held in the checkpoint: " + held()));
        long id = SpringApplication.run(ActuatorShop.class, args)
                .getBean(IdGenerator.class)
                .nextId();
        System.out.println("held afterwards: " + held() + ", id " + id);
        System.exit(0);
    }

    /** Returns for each worker ID that was ever leased whether it is leased now. */
    static List<Boolean> held() {
        try (Connection connection = DriverManager.getConnection(DATABASE, "sa", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select owner from snowflake_worker")) {
            List<Boolean> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getString(1) != null);
            }
            return all;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
