package io.github.snowflakeid;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Runs the tests of a class in a separate class loader, which instruments main code: it calls
 * {@link Simulation#point()} before each access to shared memory (a volatile field, a VarHandle, an atomic, a
 * concurrent map), and {@link Simulation#allocation()} before it creates an object. So the simulation can switch to
 * another thread at any such place, for example between a claim and the second read of the allocation, without hooks in
 * main code. It does not test the memory model, because each thread sees the writes of other threads immediately;
 * JCStress tests that.
 *
 * <p>A killed thread ends immediately: its catch and finally blocks are skipped.
 */
final class Interleaving implements InvocationInterceptor {

    private static final String OURS = "io.github.snowflakeid.";
    private static final String HERE = Simulation.class.getName().replace('.', '/');
    private static final Loader LOADER = new Loader();

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        runInstead(invocation, method);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        runInstead(invocation, method);
    }

    private static void runInstead(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method)
            throws Throwable {
        invocation.skip();
        Class<?> test = LOADER.loadClass(method.getTargetClass().getName());
        List<Class<?>> types = new ArrayList<>();
        List<Object> arguments = new ArrayList<>();
        for (Class<?> type : method.getExecutable().getParameterTypes()) {
            types.add(type.isPrimitive() ? type : LOADER.loadClass(type.getName()));
        }
        for (Object argument : method.getArguments()) {
            arguments.add(there(argument));
        }
        Constructor<?> constructor = test.getDeclaredConstructor();
        constructor.setAccessible(true);
        Method same = test.getDeclaredMethod(method.getExecutable().getName(), types.toArray(new Class<?>[0]));
        same.setAccessible(true);
        try {
            same.invoke(constructor.newInstance(), arguments.toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Returns an enum constant as the other class loader defines it. */
    private static Object there(Object argument) throws ClassNotFoundException {
        if (!(argument instanceof Enum<?> constant)) {
            return argument;
        }
        for (Object other :
                LOADER.loadClass(constant.getDeclaringClass().getName()).getEnumConstants()) {
            if (((Enum<?>) other).name().equals(constant.name())) {
                return other;
            }
        }
        throw new IllegalArgumentException("no such constant: " + constant);
    }

    private static final class Loader extends ClassLoader {

        private final URL main =
                TimeSource.class.getProtectionDomain().getCodeSource().getLocation();
        private final Map<String, Set<String>> volatiles = new HashMap<>();

        Loader() {
            super(Interleaving.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                String file = name.replace('.', '/');
                URL where = getParent().getResource(file + ".class");
                if (where == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = bytesOf(file);
                if (where.toString().startsWith(main.toString())) {
                    bytes = withPoints(bytes);
                }
                // Without a code source, so that coverage does not include the instrumented classes.
                return defineClass(name, bytes, 0, bytes.length);
            }
        }

        private byte[] bytesOf(String file) {
            try (InputStream in = getParent().getResourceAsStream(file + ".class")) {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private byte[] withPoints(byte[] bytes) {
            ClassReader reader = new ClassReader(bytes);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(
                    new ClassVisitor(Opcodes.ASM9, writer) {
                        @Override
                        public MethodVisitor visitMethod(
                                int access, String name, String type, String generic, String[] thrown) {
                            MethodVisitor target = super.visitMethod(access, name, type, generic, thrown);
                            if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                                throw new UnsupportedOperationException("monitors would stop the simulation: " + name);
                            }
                            // An object under construction is not shared yet, and a class is initialized in one step.
                            return name.startsWith("<") ? target : new Points(target);
                        }
                    },
                    ClassReader.EXPAND_FRAMES);
            return writer.toByteArray();
        }

        private boolean isVolatile(String owner, String field) {
            Set<String> known = volatiles.get(owner);
            if (known == null) {
                Set<String> found = new HashSet<>();
                for (String type = owner; type != null && type.startsWith(OURS.replace('.', '/')); ) {
                    ClassReader reader = new ClassReader(bytesOf(type));
                    reader.accept(
                            new ClassVisitor(Opcodes.ASM9) {
                                @Override
                                public FieldVisitor visitField(
                                        int access, String name, String descriptor, String generic, Object value) {
                                    if ((access & Opcodes.ACC_VOLATILE) != 0) {
                                        found.add(name);
                                    }
                                    return null;
                                }
                            },
                            ClassReader.SKIP_CODE);
                    type = reader.getSuperName();
                }
                volatiles.put(owner, found);
                known = found;
            }
            return known.contains(field);
        }

        private final class Points extends MethodVisitor {

            /**
             * Code at the end of the method that calls the simulation and continues with the handler. No handler covers
             * it there.
             */
            private final Map<Label, Label> before = new LinkedHashMap<>();

            private final Map<Label, Runnable> frames = new HashMap<>();
            private Label last;

            Points(MethodVisitor target) {
                super(Opcodes.ASM9, target);
            }

            private void ask(String method, String type) {
                super.visitMethodInsn(Opcodes.INVOKESTATIC, HERE, method, type, false);
            }

            @Override
            public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
                Label stub = before.computeIfAbsent(handler, key -> new Label());
                super.visitTryCatchBlock(start, end, stub, type);
            }

            @Override
            public void visitLabel(Label label) {
                super.visitLabel(label);
                last = label;
            }

            @Override
            public void visitFrame(int type, int locals, Object[] local, int stacked, Object[] stack) {
                super.visitFrame(type, locals, local, stacked, stack);
                if (before.containsKey(last)) {
                    Object[] sameLocal = local.clone();
                    Object[] sameStack = stack.clone();
                    frames.putIfAbsent(last, () -> super.visitFrame(type, locals, sameLocal, stacked, sameStack));
                }
            }

            @Override
            public void visitMaxs(int stack, int locals) {
                before.forEach((handler, stub) -> {
                    super.visitLabel(stub);
                    frames.get(handler).run();
                    super.visitInsn(Opcodes.DUP);
                    ask("caught", "(Ljava/lang/Throwable;)V");
                    super.visitJumpInsn(Opcodes.GOTO, handler);
                });
                super.visitMaxs(stack, locals);
            }

            @Override
            public void visitInsn(int opcode) {
                if (opcode == Opcodes.MONITORENTER) {
                    throw new UnsupportedOperationException("monitors would stop the simulation");
                }
                super.visitInsn(opcode);
            }

            @Override
            public void visitFieldInsn(int opcode, String owner, String name, String type) {
                if (isVolatile(owner, name)) {
                    ask("point", "()V");
                }
                super.visitFieldInsn(opcode, owner, name, type);
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
                if (owner.equals("java/util/concurrent/locks/ReentrantLock") && name.equals("lock")) {
                    ask("lock", "(Ljava/util/concurrent/locks/ReentrantLock;)V");
                    return;
                }
                if (owner.equals("java/lang/invoke/VarHandle")
                        || owner.equals("java/util/concurrent/ConcurrentMap")
                        || owner.startsWith("java/util/concurrent/atomic/")) {
                    ask("point", "()V");
                }
                super.visitMethodInsn(opcode, owner, name, type, isInterface);
                if (name.equals("<init>")) {
                    // The call follows the instruction, because stack map frames refer to its position.
                    ask("allocation", "()V");
                }
            }
        }
    }
}
