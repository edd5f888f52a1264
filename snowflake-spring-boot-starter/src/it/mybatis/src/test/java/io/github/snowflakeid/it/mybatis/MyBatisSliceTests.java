package io.github.snowflakeid.it.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mybatis.spring.boot.test.autoconfigure.MybatisTest;
import org.springframework.beans.factory.annotation.Autowired;

@MybatisTest
class MyBatisSliceTests {

    @Autowired
    private MyBatisPurchaseMapper purchases;

    @Test
    void fillsInsertedObjects() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        purchases.insert(purchase);

        assertThat(purchases.findAll()).extracting(MyBatisPurchase::getId).containsExactly(purchase.getId());
    }
}
