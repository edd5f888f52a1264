package io.github.snowflakeid.startup.row.pluscosid;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.snowflakeid.startup.row.FirstRow;
import me.ahoo.cosid.provider.IdGeneratorProvider;
import org.apache.ibatis.annotations.Mapper;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application with MyBatis-Plus whose rows have IDs of CosId. */
@SpringBootApplication
public class PlusCosIdShop {

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

    @Bean
    IdentifierGenerator ids(IdGeneratorProvider cosId) {
        return entity -> cosId.getShare().generate();
    }

    /** Starts, saves a row, reports the time, ends. */
    public static void main(String[] arguments) {
        FirstRow.run(
                PlusCosIdShop.class, context -> context.getBean(Invoices.class).insert(new Invoice()));
    }
}
