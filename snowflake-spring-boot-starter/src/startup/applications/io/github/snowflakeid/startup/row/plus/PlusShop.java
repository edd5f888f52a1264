package io.github.snowflakeid.startup.row.plus;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.snowflakeid.startup.row.FirstRow;
import org.apache.ibatis.annotations.Mapper;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application with MyBatis-Plus whose rows have IDs of MyBatis-Plus, or Snowflake IDs if the starter is on the class
 * path.
 */
@SpringBootApplication
public class PlusShop {

    /** A row. */
    @TableName("invoice")
    static class Invoice {

        @TableId(type = IdType.ASSIGN_ID)
        Long id;

        String customer = "";
    }

    /** Saves rows. */
    @Mapper
    interface Invoices extends BaseMapper<Invoice> {}

    /** Starts, saves a row, reports the time, ends. */
    public static void main(String[] arguments) {
        FirstRow.run(
                PlusShop.class, context -> context.getBean(Invoices.class).insert(new Invoice()));
    }
}
