package decodejudge;

import java.util.Map;

/**
 * Defines the learner's classes.
 *
 * <p>Whatever name the learner chose is looked for in the learner's own classes first, so that a
 * class called like one of the driver's does no harm; everything else comes from the platform, and
 * the driver is not within reach by name.
 */
final class LearnerLoader extends ClassLoader {
    private final Map<String, byte[]> classes;

    LearnerLoader(Map<String, byte[]> classes) {
        super(ClassLoader.getPlatformClassLoader());
        this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        byte[] bytes = classes.get(name);
        if (bytes == null) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
        }
    }
}
