package io.github.snowflakeid.it.mybatisplus;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.mybatisplus.autoconfigure.IdentifierGeneratorAutoConfiguration;
import com.baomidou.mybatisplus.autoconfigure.MybatisPlusAutoConfiguration;
import com.baomidou.mybatisplus.test.autoconfigure.MybatisPlusTest;
import io.github.snowflakeid.IdGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration;

/** The slice of MyBatis-Plus names no auto-configurations by itself, so each test names them. */
@MybatisPlusTest
@ImportAutoConfiguration({
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    SqlInitializationAutoConfiguration.class,
    IdentifierGeneratorAutoConfiguration.class,
    MybatisPlusAutoConfiguration.class
})
class MyBatisPlusSliceTests {

    @Test
    void assignsIds(@Autowired MyBatisPlusPurchaseMapper purchases, @Autowired IdGenerator ids) {
        long before = ids.nextId();
        MyBatisPlusPurchase purchase = new MyBatisPlusPurchase("Ada");

        purchases.insert(purchase);

        assertThat(purchase.getId()).isBetween(before + 1, ids.nextId() - 1);
    }
}
