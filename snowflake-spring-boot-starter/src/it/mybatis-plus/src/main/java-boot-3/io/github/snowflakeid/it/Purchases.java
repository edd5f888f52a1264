package io.github.snowflakeid.it;

import com.baomidou.mybatisplus.extension.service.impl.ServiceImpl;
import org.springframework.stereotype.Service;

@Service
public class Purchases extends ServiceImpl<PurchaseMapper, Purchase> {}
